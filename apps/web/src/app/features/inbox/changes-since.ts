import type { Plan } from '#contracts';
import { longestCommon } from '../../core/text/longest-common.js';

/** The last approved plan of the same family, and which words differ from it. */
export interface ChangesSince {
  readonly plan: Plan;
  /** Per stage: changed words by position, with what stood there before. */
  readonly words: readonly ReadonlyMap<number, string | null>[];
  /** Words that are gone, per stage. */
  readonly removed: readonly (readonly string[])[];
  readonly isSame: boolean;
}

const APPROVED: ReadonlySet<Plan['status']> = new Set([
  'approved',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
  'interrupted',
  'unknown',
]);

/** A person said yes to it, whatever came of it. */
export function wasApproved(plan: Plan): boolean {
  return plan.askId !== null && APPROVED.has(plan.status);
}

/** Plans of one workspace belong together when their stages call the same tools and subcommands. */
export function familyOf(plan: Plan): string {
  return [plan.workspaceId, ...plan.decision.stages.map((stage) => `${stage.tool} ${stage.subcommand ?? ''}`)].join('\n');
}

/** Finds the latest plan of the family that a person approved before. Pure. */
export function changesSince(plan: Plan, earlier: readonly Plan[]): ChangesSince | undefined {
  const last = earlier
    .filter((one) => one.id !== plan.id && wasApproved(one) && one.createdAt <= plan.createdAt)
    .filter((one) => familyOf(one) === familyOf(plan))
    .sort((a, b) => b.createdAt - a.createdAt)[0];
  if (last === undefined) return undefined;
  const stages = plan.body.stages.map((stage, index) => changedWords(stage.argv, last.body.stages[index]?.argv ?? []));
  const isSame = stages.every((stage) => stage.words.size === 0 && stage.removed.length === 0);
  return { plan: last, words: stages.map((stage) => stage.words), removed: stages.map((stage) => stage.removed), isSame };
}

interface Changed {
  readonly words: ReadonlyMap<number, string | null>;
  readonly removed: readonly string[];
}

/** Word by word with the longest common run kept; a word in the place of another names it. */
export function changedWords(now: readonly string[], before: readonly string[]): Changed {
  const common = longestCommon(now, before);
  const words = new Map<number, string | null>();
  const removed: string[] = [];
  let from = 0;
  let was = 0;
  for (const [at, atBefore] of [...common, [now.length, before.length] as const]) {
    const gone = before.slice(was, atBefore);
    for (let index = from; index < at; index += 1) words.set(index, gone.shift() ?? null);
    removed.push(...gone);
    from = at + 1;
    was = atBefore + 1;
  }
  return { words, removed };
}
