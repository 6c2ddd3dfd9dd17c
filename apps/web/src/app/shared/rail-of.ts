import type { Ask, Plan, Run } from '#contracts';
import type { WordKey } from '../core/words.js';
import { MARKS } from './mark-sets.js';
import type { Family, MarkLook } from './mark-sets.js';
import type { Shape } from './shapes.js';

/** One stop of the rail. `todo` lies ahead, `now` is where the action stands. */
export interface RailStep {
  readonly shape: Shape;
  readonly family: Family;
  readonly word: WordKey;
  readonly note: string;
  readonly state: 'done' | 'now' | 'todo';
}

/** What the rail is told in words: each page formats its own times. */
export interface RailNotes {
  readonly planned: string;
  readonly policy: string;
  readonly signed: string;
  readonly running: string;
  readonly receipt: string;
}

const step = (look: Pick<MarkLook, 'shape' | 'family'>, word: WordKey, note: string, state: RailStep['state']): RailStep => ({
  shape: look.shape,
  family: look.family,
  word,
  note,
  state,
});

const AHEAD = { shape: 'planned', family: 'mute' } as const;

/** The stops of one action, from what is known about it. Pure. */
export function railOf(plan: Plan, ask: Ask | undefined, run: Run | undefined, notes: RailNotes): readonly RailStep[] {
  const planned = step(AHEAD, 'rail_planned', notes.planned, 'done');
  return [planned, policyStep(plan, notes), signedStep(plan, ask, notes), runStep(plan, run, notes), receiptStep(plan, run, notes)];
}

function policyStep(plan: Plan, notes: RailNotes): RailStep {
  const { outcome, risk } = plan.decision;
  if (outcome === 'deny') return step(MARKS.plan.blocked, 'rail_policy_denied', notes.policy, 'now');
  return step(MARKS.risk[risk], outcome === 'ask' ? 'rail_policy_asked' : 'rail_policy_allowed', notes.policy, 'done');
}

function signedStep(plan: Plan, ask: Ask | undefined, notes: RailNotes): RailStep {
  if (plan.decision.outcome === 'deny') return step(AHEAD, 'rail_signed', '', 'todo');
  if (plan.decision.outcome === 'allow') return step(MARKS.plan.approved, 'rail_not_needed', notes.signed, 'done');
  if (plan.status === 'awaiting_approval' || plan.status === 'planned') return step(MARKS.ask.open, 'rail_waits', notes.signed, 'now');
  const status = ask?.status ?? (plan.status === 'rejected' ? 'denied' : plan.status === 'expired' ? 'expired' : 'approved');
  if (status === 'approved') return step(MARKS.plan.approved, 'rail_signed', notes.signed, 'done');
  return step(MARKS.ask[status], MARKS.ask[status].word, notes.signed, 'now');
}

function runStep(plan: Plan, run: Run | undefined, notes: RailNotes): RailStep {
  if (run !== undefined) {
    const look = MARKS.run[run.status === 'ended' ? (run.outcome ?? 'unknown') : run.status];
    return step(look, look.word, notes.running, run.status === 'ended' ? 'done' : 'now');
  }
  if (plan.status === 'approved') return step(AHEAD, 'rail_ready', notes.running, 'now');
  if (plan.status === 'stale') return step(MARKS.plan.stale, 'plan_stale', notes.running, 'now');
  return step(AHEAD, 'rail_running', '', 'todo');
}

function receiptStep(plan: Plan, run: Run | undefined, notes: RailNotes): RailStep {
  const isWritten = (run?.receiptId ?? plan.receiptId) !== null;
  return step({ shape: 'receipt', family: isWritten ? 'ok' : 'mute' }, 'rail_receipt', notes.receipt, isWritten ? 'now' : 'todo');
}
