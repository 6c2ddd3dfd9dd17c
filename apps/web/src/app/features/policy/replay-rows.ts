import type { Outcome, ReplayChange } from '#contracts';

/** Plans whose verdict changes in the same way, with the same words. */
export interface ReplayRow {
  readonly key: string;
  readonly change: ReplayChange['change'];
  readonly was: Outcome;
  readonly wouldBe: Outcome;
  readonly command: string;
  readonly rules: readonly string[];
  readonly plans: readonly ReplayChange[];
}

const ORDER: Readonly<Record<ReplayChange['change'], number>> = { looser: 0, stricter: 1, terms: 2 };

/** One row for each command and change, looser first, then the rows with the most plans. Pure. */
export function replayRows(changes: readonly ReplayChange[]): readonly ReplayRow[] {
  const rows = new Map<string, ReplayRow>();
  for (const change of changes) {
    const key = JSON.stringify([change.change, change.was, change.wouldBe, change.command, change.rules]);
    const row = rows.get(key);
    rows.set(key, { ...change, key, plans: [...(row?.plans ?? []), change] });
  }
  return [...rows.values()].sort((a, b) => ORDER[a.change] - ORDER[b.change] || b.plans.length - a.plans.length);
}
