import type { HostGoal, HostSessionStatus } from './host-types.js';
import type { LogFacts, TurnEnd } from './log-facts.js';

export const SESSION_WORDS = [
  'idle',
  'queued',
  'running',
  'waiting_for_user',
  'waiting_for_approval',
  'completed',
  'failed',
  'cancelled',
  'blocked',
  'max-tokens',
  'interrupted',
] as const;
export type SessionWord = (typeof SESSION_WORDS)[number];

/** Everything from which a status follows. */
export interface StateSnapshot {
  /** Null: the session is not loaded in its host. */
  readonly live: HostSessionStatus | null;
  readonly facts: Pick<LogFacts, 'turns' | 'queued'>;
  readonly goal: HostGoal | null;
  /** Asks that wait for a person now. */
  readonly approvals: number;
  readonly questions: number;
}

const TERMINAL: ReadonlySet<SessionWord> = new Set(['completed', 'failed', 'cancelled', 'blocked', 'max-tokens', 'interrupted']);

/** A parked ask says more than anything else; then what moves; then how the last thing ended. */
export function statusOf({ live, facts, goal, approvals, questions }: StateSnapshot): SessionWord {
  if (live !== null && approvals > 0) return 'waiting_for_approval';
  if (live !== null && questions > 0) return 'waiting_for_user';
  if (live === 'running') return 'running';
  if (live !== null && facts.queued > 0) return 'queued';
  if (live !== null && isDriven(goal)) return 'running'; // between two rounds
  if (goal?.phase === 'blocked') return 'blocked';
  if (goal?.phase === 'complete') return 'completed';
  return afterTurn(facts.turns.at(-1)?.end);
}

export function isTerminal(status: SessionWord): boolean {
  return TERMINAL.has(status);
}

export function needsPerson(status: SessionWord): boolean {
  return status === 'waiting_for_user' || status === 'waiting_for_approval' || status === 'blocked';
}

/** Whether the host goes on by itself. An active goal that is disarmed stands still until somebody resumes it. */
export function isDriven(goal: HostGoal | null): boolean {
  return goal?.phase === 'active' && goal.activation === 'armed';
}

function afterTurn(end: TurnEnd | null | undefined): SessionWord {
  if (end === undefined) return 'idle';
  switch (end?.kind) {
    case undefined: // a turn that nothing carries on any more
    case 'interrupted':
      return 'interrupted';
    case 'completed':
      return 'completed';
    case 'aborted':
      return 'cancelled';
    case 'error':
      return 'failed';
    case 'blocked':
      return 'blocked';
    case 'max-tokens':
      return 'max-tokens';
  }
}
