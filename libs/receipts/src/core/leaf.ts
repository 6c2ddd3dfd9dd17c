import type { DsseEnvelope, Evidence, Receipt10 } from '#contracts';
import { canonicalJson } from './canonical-json.js';
import { leafHash } from './merkle.js';
import { sha256Hex } from './primitives.js';
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
/** Objects and lists whose parts are fields of their own (`*`: each member of a list). Everything else is one field as a whole. */
const TAKEN_APART: ReadonlySet<string> = new Set([
  ...['/receipt', '/receipt/policy', '/evidence', '/evidence/requester', '/evidence/workspace', '/evidence/policy'],
  ...['/evidence/approvals', '/evidence/approvals/*', '/evidence/stages', '/evidence/stages/*', '/evidence/stdout', '/evidence/stderr'],
]);

/** Fields by JSON Pointer. */
export function fieldsOf(content: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  const visit = (value: unknown, pointer: string, pattern: string): void => {
    const parts = TAKEN_APART.has(pattern) ? partsOf(value) : [];
    if (parts.length === 0) fields.set(pointer, value);
    const isList = Array.isArray(value);
    for (const [name, part] of parts) visit(part, `${pointer}/${escaped(name)}`, `${pattern}/${isList ? '*' : name}`);
  };
  for (const [name, value] of Object.entries(content)) visit(value, `/${name}`, `/${name}`);
  return fields;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
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
  // Canonical JSON of the three in a list; salts are plain hex.
  return sha256Hex(`["${salt}",${canonicalJson(pointer)},${canonicalJson(value)}]`);
}

export function digestFields(fields: ReadonlyMap<string, unknown>, salt: (pointer: string) => string): FieldDigests {
  return Object.fromEntries([...fields].map(([pointer, value]) => [pointer, fieldDigest(salt(pointer), pointer, value)]));
}

/** The leaf itself: canonical JSON over the digests. */
export function leafHashOf(digests: FieldDigests): string {
  return leafHash(canonicalJson({ fields: digests, schema: LEAF_SCHEMA }));
}
