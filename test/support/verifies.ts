import { PROMISES, type PromiseId } from '../e2e/promises.js';

/** A test that proves one promise. The id must stand in `promises.ts`; `note` tells several proofs of one promise apart. */
export function verifies(id: PromiseId, test: () => Promise<void>): void;
export function verifies(id: PromiseId, note: string, test: () => Promise<void>): void;
export function verifies(id: PromiseId, ...rest: readonly [() => Promise<void>] | readonly [string, () => Promise<void>]): void {
  const [note, test] = rest.length === 1 ? ['', rest[0]] : rest;
  it(`${id}: ${PROMISES[id]}${note === '' ? '' : ` (${note})`}`, test);
}
