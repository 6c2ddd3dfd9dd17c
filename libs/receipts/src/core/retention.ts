import { concat, fromHex, sha256, toHex } from './primitives.js';

export const DELETED = 'receipts.deleted';
/** Receipts of administration without which the others could not be checked: they are never deleted. */
export const KEPT_ACTIONS = ['key.rotated', 'key.revoked', DELETED, 'output.deleted', 'plans.deleted'] as const;

export type Range = readonly [first: number, last: number];

/** Ascending places as stretches without a gap. */
export function rangesOf(places: readonly number[]): readonly Range[] {
  const ranges: [number, number][] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last?.[1] === place - 1) last[1] = place;
    else ranges.push([place, place]);
  }
  return ranges;
}

/** What a deletion says about the entries that it left without a body. */
export function leavesDigest(leafHashes: readonly string[]): string {
  return toHex(sha256(concat(...leafHashes.map(fromHex))));
}
