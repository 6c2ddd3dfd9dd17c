/** How many tries are free, and how the wait grows after them. */
export interface Allowance {
  readonly free: number;
  /** Without a try for this long, all is forgotten. */
  readonly forgetMs: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

export interface Tries {
  readonly count: number;
  readonly lastAt: number;
  readonly waitUntil: number;
}

/**
 * Counts a try before it is made, so that many at once cannot slip past a count of failures. `waitMs` above zero:
 * the try must not be made, and it is not counted.
 */
export function tryOnce(before: Tries | undefined, allowance: Allowance, now: number): { readonly tries: Tries; readonly waitMs: number } {
  const known = before && now - before.lastAt < allowance.forgetMs ? before : undefined;
  if (known && now < known.waitUntil) return { tries: known, waitMs: known.waitUntil - now };
  const count = (known?.count ?? 0) + 1;
  const over = count - allowance.free;
  const waitUntil = over < 0 ? 0 : now + Math.min(allowance.maxWaitMs, allowance.firstWaitMs * 2 ** over);
  return { tries: { count, lastAt: now, waitUntil }, waitMs: 0 };
}

/** The try turned out to be right: it does not count. */
export function giveBack(tries: Tries): Tries {
  return { ...tries, count: tries.count - 1, waitUntil: 0 };
}
