import type { DsseEnvelope, Evidence, Receipt10 } from '#contracts';
import { canonicalJson } from './canonical-json.js';
import { leafHash } from './merkle.js';
import { sha256Hex } from './primitives.js';
import { isRecord } from './shape.js';
import type { StatementTexts } from './statement.js';

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
  /** The name that leads here from the spot above, as canonical JSON. */
  readonly name: string;
  readonly pattern: string;
  readonly isTakenApart: boolean;
  readonly below: Map<string, Spot>;
}

/** Receipts have the same spots again and again; a file with strange ones must not fill the memory. */
let spots = spotAt('', '', '');
let spotCount = 0;
const MOST_SPOTS = 10_000;

function spotAt(pointer: string, name: string, pattern: string): Spot {
  const isTakenApart = TAKEN_APART.has(pattern);
  return { pointer, json: canonicalJson(pointer), name: canonicalJson(name), pattern, isTakenApart, below: new Map() };
}

function spotBelow(spot: Spot, name: string, isItem: boolean): Spot {
  const known = spot.below.get(name);
  if (known) return known;
  const next = spotAt(`${spot.pointer}/${escaped(name)}`, name, `${spot.pattern}/${isItem ? '*' : name}`);
  spot.below.set(name, next);
  spotCount += 1;
  return next;
}

function topSpot(name: keyof LeafContent): Spot {
  if (spotCount > MOST_SPOTS) {
    spots = spotAt('', '', '');
    spotCount = 0;
  }
  return spotBelow(spots, name, false);
}

/** Gives the canonical text of a field. */
type EachField = (spot: Spot, value: unknown) => string;

/** Calls `each` for every field; the answer is the canonical text of the whole. */
function walk(value: unknown, spot: Spot, each: EachField): string {
  const whole = spot.isTakenApart && typeof value === 'object' && value !== null ? partsText(value, spot, each) : '';
  return whole === '' ? each(spot, value) : whole;
}

/** Empty when this is not taken apart after all. */
function partsText(value: object, spot: Spot, each: EachField): string {
  if (Array.isArray(value)) return value.every(isRecord) ? itemsText(value, spot, each) : '';
  let text = '';
  for (const name of inOrder(Object.keys(value))) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    const below = spotBelow(spot, name, false);
    text += `${text === '' ? '{' : ','}${below.name}:${walk(member, below, each)}`;
  }
  return text === '' ? '' : `${text}}`;
}

function itemsText(items: readonly unknown[], spot: Spot, each: EachField): string {
  let text = '';
  for (const [at, item] of items.entries()) text += `${at === 0 ? '[' : ','}${walk(item, spotBelow(spot, String(at), true), each)}`;
  return text === '' ? '' : `${text}]`;
}

/** What was read from canonical text is in order already. */
function inOrder(names: string[]): readonly string[] {
  for (let at = 1; at < names.length; at += 1) if ((names[at - 1] ?? '') > (names[at] ?? '')) return names.sort();
  return names;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The fields of a receipt by JSON Pointer; the envelope is one field. */
export function leafFields({ envelope, evidence, receipt }: LeafContent): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  const note: EachField = ({ pointer }, value) => {
    fields.set(pointer, value);
    return '';
  };
  walk(envelope, topSpot('envelope'), note);
  walk(evidence, topSpot('evidence'), note);
  walk(receipt, topSpot('receipt'), note);
  return fields;
}

/**
 * Owner of one leaf while it is made of a receipt whose salts all follow from one seed. Each part is walked once, for its
 * canonical text and for the digests of its fields.
 */
export class WholeLeaf {
  /** Canonical JSON of the parts that the envelope signs. */
  readonly texts: StatementTexts;
  readonly #pointers: string[] = [];
  readonly #members: string[] = [];

  constructor(
    { evidence, receipt }: Omit<LeafContent, 'envelope'>,
    private readonly seed: string,
  ) {
    const text = walk(evidence, topSpot('evidence'), this.#add);
    const other = walk(receipt, topSpot('receipt'), this.#add);
    this.texts = { evidence: text, receipt: receipt && other };
  }

  get fields(): number {
    return this.#members.length + 1;
  }

  hash(envelope: DsseEnvelope): string {
    const { pointer, json } = topSpot('envelope');
    const first = saltedDigest(saltOf(this.seed, pointer), json, canonicalJson(envelope));
    let members = `${json}:"${first}"`;
    for (const member of this.#ordered()) members += member;
    return leafHash(`{"fields":{${members}},"schema":"${LEAF_SCHEMA}"}`);
  }

  readonly #add: EachField = ({ pointer, json }, value) => {
    const text = canonicalJson(value);
    this.#pointers.push(pointer);
    this.#members.push(`,${json}:"${saltedDigest(saltOf(this.seed, pointer), json, text)}"`);
    return text;
  };

  /** By pointer: a list of more than ten is walked in another order. */
  #ordered(): readonly string[] {
    const pointers = this.#pointers;
    if (pointers.every((pointer, at) => at === 0 || pointer > (pointers[at - 1] ?? ''))) return this.#members;
    const order = pointers.map((pointer, at) => ({ pointer, at })).sort((one, other) => (one.pointer < other.pointer ? -1 : 1));
    return order.map(({ at }) => this.#members[at] ?? '');
  }
}

/** 128 bits in hex; one salt tells nothing about another. */
export function saltOf(seed: string, pointer: string): string {
  return sha256Hex(`${seed}${pointer}`).slice(0, 32);
}

export function fieldDigest(salt: string, pointer: string, value: unknown): string {
  return saltedDigest(salt, canonicalJson(pointer), canonicalJson(value));
}

/** Over canonical JSON of the three in a list; salts are plain hex. */
function saltedDigest(salt: string, pointer: string, value: string): string {
  return sha256Hex(`["${salt}",${pointer},${value}]`);
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
