import { fromHex, sha256Hex } from './primitives.js';

/** RFC 9162 hashing over hex text. Nothing here knows what a leaf means. */

/** The root of a log without entries. */
export const EMPTY_ROOT = sha256Hex('');

export function leafHash(data: string): string {
  return sha256Hex(`\0${data}`);
}

export function nodeHash(left: string, right: string): string {
  return sha256Hex(fromHex(`01${left}${right}`));
}

/** A complete subtree: it covers the leaves from `index << level` on, `1 << level` of them. */
export interface NodePlace {
  readonly level: number;
  readonly index: number;
}

export interface PlacedNode extends NodePlace {
  readonly hash: string;
}

/** Numbers all subtrees in the order in which a walk from left to right leaves them: each has its own, and they grow with the log. */
export function nodeNumber({ level, index }: NodePlace): number {
  return index * 2 ** (level + 1) + 2 ** level - 1;
}

/** Reads the hash of a complete subtree. */
export type ReadNode = (place: NodePlace) => string;

/** The complete subtrees that a log of this size consists of, from left to right. */
export function rootPlaces(size: number): readonly NodePlace[] {
  return coveringPlaces(0, size);
}

/** Adds one leaf to the right edge (hashes of `rootPlaces(size)`): the new edge, and every node that became complete. */
export function appendLeaf(
  size: number,
  edge: readonly string[],
  leaf: string,
): { readonly edge: readonly string[]; readonly nodes: readonly PlacedNode[] } {
  const next = [...edge];
  const nodes: PlacedNode[] = [{ level: 0, index: size, hash: leaf }];
  let node = leaf;
  let index = size;
  for (let level = 1; index % 2 === 1; level += 1) {
    node = nodeHash(next.pop() ?? '', node);
    index = (index - 1) / 2;
    nodes.push({ level, index, hash: node });
  }
  return { edge: [...next, node], nodes };
}

/** The root over the edge. */
export function rootOf(edge: readonly string[]): string {
  if (edge.length === 0) return EMPTY_ROOT;
  return edge.reduceRight((right, left) => nodeHash(left, right));
}

/** Every complete subtree that `inclusionProof` reads. */
export function inclusionPlaces(index: number, size: number): readonly NodePlace[] {
  return siblingRanges(index, 0, size).flatMap(([from, to]) => coveringPlaces(from, to));
}

export function inclusionProof(index: number, size: number, read: ReadNode): readonly string[] {
  return siblingRanges(index, 0, size).map(([from, to]) => rangeHash(from, to, read));
}

export function verifyInclusion(index: number, size: number, leaf: string, hashes: readonly string[], root: string): boolean {
  if (!(index >= 0 && index < size)) return false;
  let place = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of hashes) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && hash === root;
}

/** Every complete subtree that `consistencyProof` reads. */
export function consistencyPlaces(oldSize: number, size: number): readonly NodePlace[] {
  return consistencyRanges(oldSize, size).flatMap(([from, to]) => coveringPlaces(from, to));
}

/** Proves that the log of `size` begins with the log of `oldSize`. */
export function consistencyProof(oldSize: number, size: number, read: ReadNode): readonly string[] {
  return consistencyRanges(oldSize, size).map(([from, to]) => rangeHash(from, to, read));
}

export function verifyConsistency(oldSize: number, size: number, oldRoot: string, root: string, hashes: readonly string[]): boolean {
  if (oldSize > size || oldSize < 0) return false;
  if (oldSize === size) return hashes.length === 0 && oldRoot === root;
  if (oldSize === 0) return hashes.length === 0 && oldRoot === EMPTY_ROOT;
  const path = isPowerOfTwo(oldSize) ? [oldRoot, ...hashes] : [...hashes];
  const first = path.shift();
  if (first === undefined) return false;
  let place = oldSize - 1;
  let last = size - 1;
  while (place % 2 === 1) {
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  let before = first;
  let after = first;
  for (const hash of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      before = nodeHash(hash, before);
      after = nodeHash(hash, after);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      after = nodeHash(after, hash);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && before === oldRoot && after === root;
}

type LeafRange = readonly [from: number, to: number];

/** Siblings on the way from a leaf to the root of [from, to), leaf first. */
function siblingRanges(index: number, from: number, to: number): readonly LeafRange[] {
  if (to - from <= 1) return [];
  const middle = from + splitOf(to - from);
  return index < middle ? [...siblingRanges(index, from, middle), [middle, to]] : [...siblingRanges(index, middle, to), [from, middle]];
}

function consistencyRanges(oldSize: number, size: number): readonly LeafRange[] {
  return oldSize === 0 || oldSize >= size ? [] : subProof(oldSize, 0, size, true);
}

/** SUBPROOF of RFC 9162, section 2.1.4.1. */
function subProof(oldSize: number, from: number, to: number, isWhole: boolean): readonly LeafRange[] {
  if (oldSize === to - from) return isWhole ? [] : [[from, to]];
  const split = splitOf(to - from);
  return oldSize <= split
    ? [...subProof(oldSize, from, from + split, isWhole), [from + split, to]]
    : [...subProof(oldSize - split, from + split, to, false), [from, from + split]];
}

/** The largest power of two below `count`. */
function splitOf(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}

function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}

/** [from, to) as complete subtrees, from left to right. `from` is where a subtree of the tree's own shape begins. */
function coveringPlaces(from: number, to: number): readonly NodePlace[] {
  const places: NodePlace[] = [];
  for (let at = from; at < to;) {
    const level = Math.floor(Math.log2(to - at));
    places.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return places;
}

function rangeHash(from: number, to: number, read: ReadNode): string {
  return rootOf(coveringPlaces(from, to).map(read));
}
