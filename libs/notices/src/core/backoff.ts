const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Waits after each failed attempt, as Standard Webhooks recommends. */
const WAITS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS];
const MOST_WAIT_MS = 24 * HOUR_MS;

export const MOST_ATTEMPTS = WAITS_MS.length + 1;

/**
 * Milliseconds until the next attempt after `attempts` failed ones; null: no more. `jitter` is between 0 and 1. What the other side
 * wishes (`retry-after`) counts when it is later.
 */
export function waitAfter(attempts: number, jitter: number, retryAfter: string | undefined, now: number): number | null {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  return Math.min(MOST_WAIT_MS, Math.max(Math.round(wait * (1 + jitter * 0.2)), wishOf(retryAfter, now)));
}

function wishOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,6}$/.test(retryAfter)) return Number(retryAfter) * SECOND_MS;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : until - now;
}
