import type { DsseEnvelope, Evidence, Receipt10 } from '#contracts';
import { canonicalJson } from './canonical-json.js';
import { sha256Hex, strictBase64, textOf } from './primitives.js';
import { HEX_64 } from './receipt10.js';
import { isRecord } from './shape.js';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'urn:countersign:execution-receipt/v1';

export interface StatementOf {
  readonly receipt: Receipt10 | null;
  readonly evidence: Evidence;
  /** Which HMAC key signed the 1.0 part; null when there is none. */
  readonly hmacKeyId: string | null;
  /** Share-safe files: the leaf of the original. */
  readonly original: { readonly index: number; readonly leafHash: string } | null;
}

/** Canonical JSON of both parts, where it is at hand already. */
export interface StatementTexts {
  readonly receipt: string | null;
  readonly evidence: string;
}

interface Subject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/**
 * The in-toto statement over both parts. Its subjects are digests: of the canonical JSON of each part, and of plan,
 * stdout and stderr where they are known, so that the envelope stays small and can be checked against each by itself.
 */
export function statementText({ receipt, evidence, hmacKeyId, original }: StatementOf, texts = textsOf({ receipt, evidence })): string {
  return canonicalJson({
    _type: STATEMENT_TYPE,
    subject: subjectsOf(evidence, texts),
    predicateType: PREDICATE_TYPE,
    predicate: {
      id: evidence.id,
      kind: evidence.kind,
      at: evidence.at,
      ...(hmacKeyId === null ? {} : { hmac_key_id: hmacKeyId }),
      ...(original === null ? {} : { sharing_redacted: true, original: { index: original.index, leaf_hash: original.leafHash } }),
    },
  });
}

function textsOf({ receipt, evidence }: Pick<StatementOf, 'receipt' | 'evidence'>): StatementTexts {
  return { receipt: receipt && canonicalJson(receipt), evidence: canonicalJson(evidence) };
}

function subjectsOf(evidence: Evidence, texts: StatementTexts): readonly Subject[] {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['receipt', texts.receipt === null ? undefined : sha256Hex(texts.receipt)],
    ['evidence', sha256Hex(texts.evidence)],
    ['plan', evidence.plan_digest],
    ['stdout', evidence.stdout?.sha256],
    ['stderr', evidence.stderr?.sha256],
  ];
  return named.flatMap(([name, sha256]) => (sha256 !== undefined && HEX_64.test(sha256) ? [{ name, digest: { sha256 } }] : []));
}

/** What is needed of a signed statement to make it again. Undefined when it is none of ours. */
export function readStatement({ payload }: DsseEnvelope): { readonly text: string; readonly hmacKeyId: string | null } | undefined {
  const bytes = strictBase64(payload);
  if (!bytes) return undefined;
  const text = textOf(bytes);
  try {
    const value: unknown = JSON.parse(text);
    const predicate = isRecord(value) ? value['predicate'] : undefined;
    const id = isRecord(predicate) ? predicate['hmac_key_id'] : undefined;
    return { text, hmacKeyId: typeof id === 'string' ? id : null };
  } catch {
    return undefined; // not JSON, so not ours
  }
}
