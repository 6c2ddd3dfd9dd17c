import type { Evidence, Receipt10 } from '#contracts';
import { canonicalJson } from './canonical-json.js';
import { sha256Hex } from './primitives.js';
import { HEX_64 } from './receipt10.js';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'urn:countersign:execution-receipt/v1';

const BEGINNING = `{"_type":"${STATEMENT_TYPE}","predicate":{`;
const HMAC_KEY = /"hmac_key_id":"([0-9a-f]{16})"/;

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
  const { at, id, kind } = evidence;
  // Names in canonical order, so that the text is written at once.
  const predicate = {
    at,
    ...(hmacKeyId !== null && { hmac_key_id: hmacKeyId }),
    id,
    kind,
    ...(original !== null && { original: { index: original.index, leaf_hash: original.leafHash }, sharing_redacted: true }),
  };
  return canonicalJson({ _type: STATEMENT_TYPE, predicate, predicateType: PREDICATE_TYPE, subject: subjectsOf(evidence, texts) });
}

export function textsOf({ receipt, evidence }: Pick<StatementOf, 'receipt' | 'evidence'>): StatementTexts {
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
  return named.flatMap(([name, sha256]) => (sha256 !== undefined && HEX_64.test(sha256) ? [{ digest: { sha256 }, name }] : []));
}

/** What is needed of a signed statement to make it again. */
export interface SignedStatement {
  readonly text: string;
  readonly hmacKeyId: string | null;
}

/** Undefined when it is none of ours. The text is compared with the one that is made again, so it need not be taken apart. */
export function readStatement(text: string): SignedStatement | undefined {
  if (!text.startsWith(BEGINNING)) return undefined;
  return { text, hmacKeyId: HMAC_KEY.exec(text)?.[1] ?? null };
}
