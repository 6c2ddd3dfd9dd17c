import type { DsseEnvelope, Evidence, Receipt10 } from '#contracts';
import { canonicalJson, sha256Hex } from './canonical-json.js';
import { leafHash } from './merkle.js';
import { isRecord } from './shape.js';

/**
 * What the ledger commits to: every field of a receipt by itself, each under its own salt. So a field can be hidden
 * without being guessed from its digest, and shown later with proof.
 */
export interface LeafContent {
  readonly receipt: Receipt10 | null;
  readonly evidence: Evidence;
  readonly envelope: DsseEnvelope;
}

/** Digest by JSON Pointer. */
export type FieldDigests = Readonly<Record<string, string>>;

/** Opens every field: the salt of a field follows from the seed and the field's name. */
export const ALL_FIELDS = '*';
const LEAF_SCHEMA = 'countersign/leaf/1';
/** Names in a pointer; what lies deeper is one field with what holds it. */
const MAX_DEPTH = 4;

/** Fields by JSON Pointer. Objects, and lists of objects, are taken apart; everything else is one field. */
export function fieldsOf(content: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  const visit = (value: unknown, pointer: string, depth: number): void => {
    const parts = depth < MAX_DEPTH ? partsOf(value) : [];
    if (parts.length === 0) fields.set(pointer, value);
    for (const [name, part] of parts) visit(part, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
  };
  for (const [name, value] of Object.entries(content)) visit(value, `/${name}`, 1);
  return fields;
}

function partsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (isRecord(value)) return Object.entries(value).filter(([, part]) => part !== undefined);
  return Array.isArray(value) && value.every(isRecord) ? value.map((part, index) => [String(index), part] as const) : [];
}

/** The fields of a receipt; the envelope is one field. */
export function leafFields({ receipt, evidence, envelope }: LeafContent): ReadonlyMap<string, unknown> {
  return new Map([...fieldsOf({ receipt, evidence }), ['/envelope', envelope]]);
}

/** 128 bits in hex; one salt tells nothing about another. */
export function saltOf(seed: string, pointer: string): string {
  return sha256Hex(`${seed}${pointer}`).slice(0, 32);
}

export function fieldDigest(salt: string, pointer: string, value: unknown): string {
  return sha256Hex(canonicalJson([salt, pointer, value]));
}

export function digestFields(fields: ReadonlyMap<string, unknown>, salt: (pointer: string) => string): FieldDigests {
  return Object.fromEntries([...fields].map(([pointer, value]) => [pointer, fieldDigest(salt(pointer), pointer, value)]));
}

/** The leaf itself: canonical JSON over the digests. */
export function leafHashOf(digests: FieldDigests): string {
  return leafHash(canonicalJson({ fields: digests, schema: LEAF_SCHEMA }));
}
