import type { Decision, ErrorCode, Plan, PlanStatus, Result, RunOutcome } from '#contracts';

/** Where a plan may go from each status. Only `approved` leads to `running`, and nothing leads back. */
const NEXT: Readonly<Record<PlanStatus, readonly PlanStatus[]>> = {
  planned: ['blocked', 'awaiting_approval', 'approved'],
  awaiting_approval: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: ['running', 'stale', 'expired', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled', 'timed_out', 'interrupted', 'unknown'],
  unknown: ['succeeded', 'failed'], // a person found out
  blocked: [],
  rejected: [],
  expired: [],
  stale: [],
  succeeded: [],
  failed: [],
  cancelled: [],
  timed_out: [],
  interrupted: [],
};

/** How long a plan may stay: a day for a person to decide, a quarter of an hour to be run. */
const STAYS_MS: Partial<Record<PlanStatus, number>> = { awaiting_approval: 86_400_000, approved: 900_000 };

/** Silence has its own words; it is neither a yes nor a no. */
const EXPIRED_WORDS: Partial<Record<PlanStatus, string>> = {
  awaiting_approval: 'Nobody answered in time; plan again',
  approved: 'Nobody ran this plan in time; plan again',
};

/** A plan that still waits: for a person, or to be run. */
export const OPEN_STATUSES = ['awaiting_approval', 'approved'] as const satisfies readonly PlanStatus[];

export function deadline(status: PlanStatus, now: number): number {
  return now + (STAYS_MS[status] ?? 0);
}

/** Until when a plan waits for a person: as long as its ask, which policy may end sooner or later. */
export function askDeadline({ terms }: Pick<Decision, 'terms'>, now: number): number {
  const usual = deadline('awaiting_approval', now);
  if (terms?.withinMs == null) return usual;
  return terms.onExpiry === 'deny' ? now + terms.withinMs : Math.max(usual, now + terms.withinMs);
}

/** No default: a new outcome does not compile until someone says what it means. */
export function firstStatus({ outcome }: Pick<Decision, 'outcome'>): PlanStatus {
  switch (outcome) {
    case 'allow':
      return 'approved';
    case 'ask':
      return 'awaiting_approval';
    case 'deny':
      return 'blocked';
  }
}

/** Which statuses lead to this one; the `from` of a compare-and-set. */
export function sourcesOf(to: PlanStatus): readonly PlanStatus[] {
  return (Object.keys(NEXT) as PlanStatus[]).filter((from) => NEXT[from].includes(to));
}

/** Moves a plan to a status at a given time, or says exactly why it cannot. */
export function move(plan: Plan, to: PlanStatus, now: number): Result<Plan> {
  if (isOverdue(plan, now) && to !== 'expired') return refuse(plan, 'PLAN_EXPIRED', EXPIRED_WORDS[plan.status] ?? 'The plan has expired');
  if (NEXT[plan.status].includes(to)) {
    return { ok: true, value: { ...plan, status: to, expiresAt: to === 'approved' ? deadline(to, now) : plan.expiresAt } };
  }
  if (to === 'running') return refuseRun(plan);
  return refuse(plan, 'PLAN_STATUS_CONFLICT', `A plan that is ${plan.status} cannot become ${to}`);
}

/** Its time is over, whether or not anyone has written that down yet. */
export function isOverdue(plan: Pick<Plan, 'status' | 'expiresAt'>, now: number): boolean {
  return plan.status in STAYS_MS && now >= plan.expiresAt;
}

/** Each reason not to run has its own code: nobody answered, somebody said no, and it ran already are different facts. */
function refuseRun(plan: Plan): Result<never> {
  switch (plan.status) {
    case 'planned':
    case 'awaiting_approval':
      return refuse(plan, 'PLAN_NOT_APPROVED', 'Nobody has approved this plan yet', plan.askId ? { askId: plan.askId } : {});
    case 'blocked': {
      const { reasons, rules } = plan.decision;
      return refuse(plan, 'PLAN_BLOCKED', 'Policy does not allow this plan', { reasons, rules });
    }
    case 'rejected':
      return refuse(plan, 'PLAN_REJECTED', 'A person has rejected this plan', plan.askId ? { askId: plan.askId } : {});
    case 'expired':
      return refuse(
        plan,
        'PLAN_EXPIRED',
        plan.askId ? 'Nobody approved and ran this plan in time; plan again' : 'Nobody ran this plan in time; plan again',
      );
    case 'stale':
      return refuse(plan, 'PLAN_STALE', 'What the plan saw has changed; plan again');
    case 'running':
      return refuse(plan, 'PLAN_ALREADY_RUNNING', 'This plan runs already; wait for it', plan.runId ? { runId: plan.runId } : {});
    case 'approved':
    case 'succeeded':
    case 'failed':
    case 'timed_out':
    case 'interrupted':
    case 'unknown':
      return refuse(plan, 'PLAN_ALREADY_RUN', 'This plan has run; a plan runs only once', plan.runId ? { runId: plan.runId } : {});
    case 'cancelled':
      return plan.runId
        ? refuse(plan, 'PLAN_ALREADY_RUN', 'This plan has run and was cancelled; a plan runs only once', { runId: plan.runId })
        : refuse(plan, 'PLAN_STATUS_CONFLICT', 'This plan was cancelled before it ran; plan again');
  }
}

/** Words for the outcome of a run that fit after "The run". */
export function isFinal(status: PlanStatus): status is RunOutcome {
  return NEXT.running.includes(status);
}

function refuse(plan: Plan, code: ErrorCode, message: string, more: Readonly<Record<string, unknown>> = {}): Result<never> {
  return { ok: false, code, message, details: { planId: plan.id, status: plan.status, ...more } };
}
