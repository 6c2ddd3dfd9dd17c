import type { Ask } from '#contracts';
import type { WordKey } from '../../core/words.js';

const MINUTE_MS = 60_000;

/** How long people let an ask wait, in steps that a team talks in. */
export const WAITS: readonly { readonly word: WordKey; readonly belowMs: number }[] = [
  { word: 'wait_minute', belowMs: MINUTE_MS },
  { word: 'wait_five', belowMs: 5 * MINUTE_MS },
  { word: 'wait_quarter', belowMs: 15 * MINUTE_MS },
  { word: 'wait_hour', belowMs: 60 * MINUTE_MS },
  { word: 'wait_more', belowMs: Infinity },
];

export interface DecisionTimes {
  /** One count for each of `WAITS`. */
  readonly counts: readonly number[];
  readonly medianMs: number | undefined;
}

const DECIDED: ReadonlySet<string> = new Set(['approved', 'denied', 'answered']);

/** What people decided; what ran out or went away was decided by nobody and is left out. Pure. */
export function decisionTimes(asks: readonly Ask[]): DecisionTimes {
  const waits = asks
    .filter((ask) => DECIDED.has(ask.status) && ask.resolvedAt !== null)
    .map((ask) => Math.max(0, (ask.resolvedAt ?? 0) - ask.createdAt))
    .sort((one, other) => one - other);
  const counts = WAITS.map(
    ({ belowMs }, step) => waits.filter((wait) => wait < belowMs && (step === 0 || wait >= (WAITS[step - 1]?.belowMs ?? 0))).length,
  );
  return { counts, medianMs: waits[Math.floor((waits.length - 1) / 2)] };
}
