import type { HostGoal } from './host-types.js';
import { isDriven, needsPerson, type SessionWord } from './status.js';

/** A goal as the relay's tools show it. */
export interface GoalWire {
  readonly goal_id: string;
  readonly revision: number;
  readonly objective: string;
  readonly phase: HostGoal['phase'];
  readonly activation: HostGoal['activation'];
  readonly rounds_started: number;
  readonly max_rounds: number;
  readonly blocked_reason?: { readonly code: string; readonly message: string };
}

export const GOAL_OUTCOMES = [
  'waiting_for_approval',
  'waiting_for_user',
  'active',
  'disarmed',
  'paused',
  'blocked',
  'complete',
  'none',
] as const;
export type GoalOutcome = (typeof GOAL_OUTCOMES)[number];

export interface NextCall {
  readonly name: 'dsh_wait_goal' | 'dsh_wait_until_action_required';
  readonly arguments: { readonly session_id: string; readonly since_seq: number };
}

/** The loop contract: whether the caller has to go on, and with which call. */
export interface LoopState {
  readonly continuation_required: boolean;
  readonly next_tool_call: NextCall | null;
}

export function goalWire(goal: HostGoal): GoalWire {
  return {
    goal_id: goal.id,
    revision: goal.revision,
    objective: goal.objective,
    phase: goal.phase,
    activation: goal.activation,
    rounds_started: goal.roundsStarted,
    max_rounds: goal.maxRounds,
    ...(goal.blockedReason && { blocked_reason: goal.blockedReason }),
  };
}

/** A parked ask wins over what the phase says. */
export function goalOutcome(goal: HostGoal | null, status: SessionWord): GoalOutcome {
  if (status === 'waiting_for_approval' || status === 'waiting_for_user') return status;
  if (!goal) return 'none';
  if (goal.phase === 'active') return isDriven(goal) ? 'active' : 'disarmed';
  return goal.phase;
}

/** Where nobody is needed and something still moves, the same wait is to be made again. */
export function loopState(sessionId: string, status: SessionWord, goal: HostGoal | null, seq: number): LoopState {
  const moves = status === 'running' || status === 'queued';
  if (!moves || needsPerson(status)) return { continuation_required: false, next_tool_call: null };
  const name = goal ? 'dsh_wait_goal' : 'dsh_wait_until_action_required';
  return { continuation_required: true, next_tool_call: { name, arguments: { session_id: sessionId, since_seq: seq } } };
}

/** The objective of a goal with a plan: one text, since the host keeps one. */
export function objectiveOf(goal: string, plan: string | undefined): string {
  const words = plan?.trim() ?? '';
  return words === '' ? goal.trim() : `${goal.trim()}\n\nPlan:\n${words}`;
}

/** The same objective with another goal or another plan; what is not given stays. */
export function revisedObjective(
  old: string,
  { goal, plan }: { readonly goal?: string | undefined; readonly plan?: string | undefined },
): string {
  const at = old.indexOf('\n\nPlan:\n');
  const oldGoal = at === -1 ? old : old.slice(0, at);
  const oldPlan = at === -1 ? undefined : old.slice(at + '\n\nPlan:\n'.length);
  return objectiveOf(goal ?? oldGoal, plan ?? oldPlan);
}

/** What starting a goal means for the goal that a session has already. */
export type GoalStart = 'create' | 'reuse' | 'rearm' | 'replace' | 'revise';

export function goalStart(current: HostGoal | null, objective: string): GoalStart {
  if (!current) return 'create';
  if (current.phase === 'complete') return 'replace';
  if (current.objective !== objective) return 'revise';
  return isDriven(current) ? 'reuse' : 'rearm';
}
