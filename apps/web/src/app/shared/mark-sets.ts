import type { AskStatus, Effect, Enforcement, PlanStatus, Risk, RunOutcome, RunStatus, Touch } from '#contracts';
import type { StreamState } from '../core/event-stream.js';
import type { WordKey } from '../core/words.js';
import type { Shape } from './shapes.js';

export type Family = 'ok' | 'caution' | 'danger' | 'blocked' | 'live' | 'unknown' | 'mute';

/** What a state looks like everywhere: a shape, a colour family and a word. */
export interface MarkLook {
  readonly shape: Shape;
  readonly family: Family;
  readonly word: WordKey;
}

const look = (shape: Shape, family: Family, word: WordKey): MarkLook => ({ shape, family, word });

const RISK: Readonly<Record<Risk, MarkLook>> = {
  low: look('low', 'ok', 'risk_low'),
  medium: look('med', 'caution', 'risk_medium'),
  high: look('high', 'danger', 'risk_high'),
  blocked: look('block', 'blocked', 'risk_blocked'),
};

const RUN: Readonly<Record<RunOutcome | RunStatus, MarkLook>> = {
  queued: look('wait', 'mute', 'run_queued'),
  started: look('run', 'live', 'run_started'),
  running: look('run', 'live', 'run_running'),
  paused: look('pause', 'mute', 'run_paused'),
  ended: look('receipt', 'mute', 'run_ended'),
  succeeded: look('done', 'ok', 'run_succeeded'),
  failed: look('fail', 'danger', 'run_failed'),
  cancelled: look('cancel', 'mute', 'run_cancelled'),
  timed_out: look('timeout', 'caution', 'run_timed_out'),
  interrupted: look('broken', 'caution', 'run_interrupted'),
  unknown: look('unk', 'unknown', 'run_unknown'),
};

const PLAN: Readonly<Record<PlanStatus, MarkLook>> = {
  planned: look('planned', 'mute', 'plan_planned'),
  blocked: look('block', 'blocked', 'plan_blocked'),
  awaiting_approval: look('wait', 'caution', 'plan_waits'),
  approved: look('signed', 'ok', 'plan_approved'),
  rejected: look('refused', 'danger', 'plan_rejected'),
  expired: look('expired', 'mute', 'plan_expired'),
  stale: look('stale', 'danger', 'plan_stale'),
  running: RUN.running,
  succeeded: RUN.succeeded,
  failed: RUN.failed,
  cancelled: RUN.cancelled,
  timed_out: RUN.timed_out,
  interrupted: RUN.interrupted,
  unknown: RUN.unknown,
};

const ASK: Readonly<Record<AskStatus, MarkLook>> = {
  open: look('wait', 'caution', 'ask_open'),
  approved: look('signed', 'ok', 'plan_approved'),
  denied: look('refused', 'danger', 'ask_denied'),
  answered: look('answered', 'ok', 'ask_answered'),
  expired: look('expired', 'mute', 'plan_expired'),
  cancelled: look('cancel', 'mute', 'run_cancelled'),
  host_gone: look('gone', 'danger', 'ask_host_gone'),
  unavailable: look('unreached', 'caution', 'ask_unavailable'),
  unknown: look('unk', 'unknown', 'ask_unknown'),
};

const SANDBOX: Readonly<Record<Enforcement, MarkLook>> = {
  full: look('sfull', 'ok', 'sandbox_full'),
  partial: look('spart', 'caution', 'sandbox_partial'),
  none: look('snone', 'danger', 'sandbox_none'),
};

const STREAM: Readonly<Record<StreamState, MarkLook>> = {
  live: look('clive', 'ok', 'stream_live'),
  reconnecting: look('arrows', 'caution', 'stream_reconnecting'),
  offline: look('offline', 'danger', 'stream_offline'),
  catching_up: look('arc', 'live', 'stream_catching_up'),
};

const EFFECT: Readonly<Record<Effect, MarkLook>> = {
  read: look('eye', 'mute', 'effect_read'),
  write: look('pen', 'danger', 'effect_write'),
  delete: look('trash', 'danger', 'effect_delete'),
  execute_project_code: look('code', 'caution', 'effect_execute_project_code'),
  execute_inline: look('code', 'danger', 'effect_execute_inline'),
  network: look('net', 'caution', 'effect_network'),
  privilege: look('shield', 'danger', 'effect_privilege'),
  environment: look('key', 'mute', 'effect_environment'),
  process: look('stop', 'caution', 'effect_process'),
};

const TOUCH: Readonly<Record<Touch['role'], MarkLook>> = {
  read: look('eye', 'mute', 'touch_read'),
  write: look('pen', 'danger', 'touch_write'),
  delete: look('trash', 'danger', 'touch_delete'),
  execute: look('code', 'caution', 'touch_execute'),
  cwd: look('folder', 'mute', 'touch_cwd'),
  connect: look('net', 'caution', 'touch_connect'),
  set: look('key', 'mute', 'touch_set'),
};

const OUTCOME = {
  allow: look('done', 'ok', 'verdict_allow'),
  ask: look('wait', 'caution', 'verdict_ask'),
  deny: look('block', 'blocked', 'verdict_deny'),
};

/** What a rule of policy does. */
const RULE = {
  allow: look('done', 'ok', 'rule_allow'),
  ask: look('wait', 'caution', 'rule_ask'),
  deny: look('block', 'blocked', 'rule_deny'),
  limits: look('clock', 'mute', 'rule_limits'),
};

const CHANGE = {
  looser: look('med', 'danger', 'change_looser'),
  stricter: look('shield', 'ok', 'change_stricter'),
  terms: look('swap', 'mute', 'change_terms'),
};

const REMEMBERED = {
  active: look('clive', 'ok', 'state_active'),
  revoked: look('cancel', 'mute', 'state_revoked'),
  ended: look('expired', 'mute', 'state_ended'),
};

const PROPOSAL = {
  open: look('wait', 'caution', 'proposal_open'),
  accepted: look('signed', 'ok', 'proposal_accepted'),
  dismissed: look('refused', 'mute', 'proposal_dismissed'),
};

/** Receipts name more endings than runs do. */
const RECEIPT = {
  ...RUN,
  blocked: PLAN.blocked,
  rejected: PLAN.rejected,
  expired: PLAN.expired,
  stale: PLAN.stale,
  approved: PLAN.approved,
  recorded: look('done', 'mute', 'receipt_recorded'),
};

export const MARKS = {
  risk: RISK,
  run: RUN,
  plan: PLAN,
  ask: ASK,
  sandbox: SANDBOX,
  stream: STREAM,
  effect: EFFECT,
  touch: TOUCH,
  outcome: OUTCOME,
  rule: RULE,
  change: CHANGE,
  remembered: REMEMBERED,
  proposal: PROPOSAL,
  receipt: RECEIPT,
} as const;

export type MarkSet = keyof typeof MARKS;

/** The look of a value, or undefined for a value this console does not know. */
export function lookOf(set: MarkSet, value: string): MarkLook | undefined {
  return (MARKS[set] as Readonly<Record<string, MarkLook | undefined>>)[value];
}
