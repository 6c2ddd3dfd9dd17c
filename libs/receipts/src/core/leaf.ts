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

/** A place in a receipt where a field can stand. */
interface Spot {
  readonly pointer: string;
  /** The pointer as canonical JSON. */
  readonly json: string;
  readonly pattern: string;
  readonly isTakenApart: boolean;
  readonly below: Map<string, Spot>;
}

/** Receipts have the same spots again and again; a file with strange ones must not fill the memory. */
let spots = spotAt('', '');
let spotCount = 0;
const MOST_SPOTS = 10_000;

function spotAt(pointer: string, pattern: string): Spot {
  return { pointer, json: canonicalJson(pointer), pattern, isTakenApart: TAKEN_APART.has(pattern), below: new Map() };
}

function spotBelow(spot: Spot, name: string, isItem: boolean): Spot {
  const known = spot.below.get(name);
  if (known) return known;
  const next = spotAt(`${spot.pointer}/${escaped(name)}`, `${spot.pattern}/${isItem ? '*' : name}`);
  spot.below.set(name, next);
  spotCount += 1;
  return next;
}

/** Calls `each` for every field, in the order in which the content has them. */
function walkFields(content: Readonly<Record<string, unknown>>, each: (spot: Spot, value: unknown) => void): void {
  if (spotCount > MOST_SPOTS) {
    spots = spotAt('', '');
    spotCount = 0;
  }
  const visit = (value: unknown, spot: Spot): void => {
    const parts = spot.isTakenApart ? partsOf(value) : undefined;
    if (parts === undefined || parts.length === 0) {
      each(spot, value);
      return;
    }
    const isList = Array.isArray(value);
    for (const name of parts) visit((value as Readonly<Record<string, unknown>>)[name], spotBelow(spot, name, isList));
  };
  for (const name of Object.keys(content)) visit(content[name], spotBelow(spots, name, false));
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Names of what an object or a list of objects is taken apart into. */
function partsOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.every(isRecord) ? Object.keys(value) : undefined;
  return isRecord(value) ? Object.keys(value).filter((name) => value[name] !== undefined) : undefined;
}

/** The fields of a receipt by JSON Pointer; the envelope is one field. */
export function leafFields(content: LeafContent): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  walkFields(inOrder(content), ({ pointer }, value) => fields.set(pointer, value));
  return fields;
}

function inOrder({ receipt, evidence, envelope }: LeafContent): Readonly<Record<string, unknown>> {
  return { envelope, evidence, receipt };
}

/** The leaf of a receipt whose salts all follow from one seed, and how many fields it commits to. */
export function wholeLeaf(content: LeafContent, seed: string): { readonly hash: string; readonly fields: number } {
  const members: string[] = [];
  const pointers: string[] = [];
  walkFields(inOrder(content), ({ pointer, json }, value) => {
    members.push(`${json}:"${sha256Hex(`["${saltOf(seed, pointer)}",${json},${canonicalJson(value)}]`)}"`);
    pointers.push(pointer);
  });
  if (pointers.some((pointer, at) => pointer < (pointers[at - 1] ?? ''))) {
    const digests = digestFields(leafFields(content), (pointer) => saltOf(seed, pointer));
    return { hash: leafHashOf(digests), fields: members.length };
  }
  return { hash: leafHash(`{"fields":{${members.join(',')}},"schema":"${LEAF_SCHEMA}"}`), fields: members.length };
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
  const digests: Record<string, string> = {};
  // In canonical order already, so that they need not be put into it again.
  for (const pointer of [...fields.keys()].sort()) digests[pointer] = fieldDigest(salt(pointer), pointer, fields.get(pointer));
  return digests;
}

/** The leaf itself: canonical JSON over the digests. */
export function leafHashOf(digests: FieldDigests): string {
  return leafHash(canonicalJson({ fields: digests, schema: LEAF_SCHEMA }));
}
