import type { Plan } from '#contracts';
import { familyOf, wasApproved } from './changes-since.js';

/** What people decided about plans of the same family before. */
export interface Similar {
  readonly approved: number;
  readonly rejected: number;
  /** The latest of each, to look at. */
  readonly lastApproved: Plan | undefined;
  readonly lastRejected: Plan | undefined;
}

/** Counts earlier decisions of people about the same tools and subcommands in the same workspace. Pure. */
export function similarTo(plan: Plan, earlier: readonly Plan[]): Similar {
  const family = familyOf(plan);
  const decided = earlier
    .filter((one) => one.id !== plan.id && one.askId !== null && familyOf(one) === family)
    .sort((a, b) => b.createdAt - a.createdAt);
  const approved = decided.filter(wasApproved);
  const rejected = decided.filter((one) => one.status === 'rejected');
  return { approved: approved.length, rejected: rejected.length, lastApproved: approved[0], lastRejected: rejected[0] };
}
