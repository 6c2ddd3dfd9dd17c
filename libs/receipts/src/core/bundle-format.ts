import { canonicalJson } from './canonical-json.js';
import { sha256Hex, strictBase64, textOf } from './primitives.js';
import { exactly, list, object, oneOf, orNull, text, truth, whole } from './shape.js';
import { STATEMENT_TYPE } from './statement.js';

/** What stands where in a bundle. The order of the entries is part of the form. */
export const README = 'README.txt';
export const VERIFIER = 'countersign-verify.mjs';
export const ABOUT = 'bundle.json';
export const CHECKPOINT = 'checkpoint.txt';
export const CHECKPOINTS = 'checkpoints.json';
export const KEYS = 'keys.json';
export const RECORDS = 'records/';
export const SCHEMAS = 'schemas/';
export const RECEIPTS = 'receipts/';
export const MANIFEST = 'manifest.jsonl';
export const SIGNATURE = 'manifest.sig.json';

export const BUNDLE_SCHEMA = 'countersign/bundle/1';
const PREDICATE_TYPE = 'urn:countersign:evidence-bundle/v1';
const HEX_64 = /^[0-9a-f]{64}$/;

/** What a bundle says of itself. */
export interface BundleAbout {
  readonly schema: typeof BUNDLE_SCHEMA;
  readonly ledger: string;
  readonly form: 'whole' | 'shared';
  /** Shared ones: the fields that were left readable. */
  readonly reveal: readonly string[];
  /** What was asked for, for people. */
  readonly selection: Readonly<Record<string, string>>;
  /** True: every ledger entry from first to last is here, or was deleted by a rule whose receipt is here. */
  readonly complete: boolean;
  readonly first: number | null;
  readonly last: number | null;
  readonly receipts: number;
  readonly checkpoint: { readonly size: number; readonly rootHash: string };
}

export const aboutShape = object({
  schema: exactly(BUNDLE_SCHEMA),
  ledger: text(),
  form: oneOf(['whole', 'shared']),
  reveal: list(text()),
  selection: object({}, text()),
  complete: truth,
  first: orNull(whole),
  last: orNull(whole),
  receipts: whole,
  checkpoint: object({ size: whole, rootHash: text(HEX_64) }),
});

/** A kept head, with the proof that the bundle's checkpoint goes on from it. */
export interface EarlierHead {
  readonly size: number;
  readonly note: string;
  readonly keyId: string;
  readonly hashes: readonly string[];
}

export const earlierHeadsShape = list(object({ size: whole, note: text(), keyId: text(), hashes: list(text(HEX_64)) }));

export interface ManifestLine {
  readonly bytes: number;
  readonly path: string;
  readonly sha256: string;
}

const lineShape = object({ bytes: whole, path: text(), sha256: text(HEX_64) });

export function manifestLine(path: string, content: Uint8Array): string {
  return `${canonicalJson({ bytes: content.length, path, sha256: sha256Hex(content) })}\n`;
}

/** Undefined when the text is no manifest. */
export function readManifest(textOfIt: string): readonly ManifestLine[] | undefined {
  const lines = textOfIt.split('\n');
  if (lines.pop() !== '') return undefined;
  const read = lines.map(parsed);
  return read.every((line): line is ManifestLine => lineShape(line, '').length === 0) ? read : undefined;
}

/** What the signature of a bundle is over. */
export function bundleStatement(manifest: Uint8Array, entries: number): string {
  return canonicalJson({
    _type: STATEMENT_TYPE,
    subject: [{ name: MANIFEST, digest: { sha256: sha256Hex(manifest) } }],
    predicateType: PREDICATE_TYPE,
    predicate: { schema: BUNDLE_SCHEMA, entries },
  });
}

export const envelopeShape = object({
  payloadType: text(),
  payload: text(),
  signatures: list(object({ keyid: text(), sig: text() })),
});

export function receiptPath(folder: string, index: number, id: string): string {
  return `${folder}${String(index).padStart(9, '0')}-${id}.json`;
}

/** The value of canonical JSON; undefined for every other text. */
export function readCanonical(bytes: Uint8Array): unknown {
  const given = textOf(bytes);
  const value = parsed(given);
  try {
    return value !== undefined && canonicalJson(value) === given ? value : undefined;
  } catch {
    return undefined; // without a canonical form
  }
}

/** The text that was signed, if it can be read. */
export function payloadText(payload: string): string | undefined {
  const bytes = strictBase64(payload);
  return bytes && textOf(bytes);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // not JSON
  }
}
