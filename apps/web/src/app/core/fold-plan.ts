import type { AppEvent, Plan } from '#contracts';

/** Folds one event into one plan: only status, expiry and links move. */
export function foldPlan(plan: Plan, event: AppEvent): Plan {
  if (event.type === 'plan.moved' && event.planId === plan.id) return { ...plan, status: event.status, expiresAt: event.expiresAt };
  if (event.type === 'run.started' && event.run.planId === plan.id) return { ...plan, status: 'running', runId: event.run.id };
  if (event.type === 'run.ended' && event.planId === plan.id)
    return { ...plan, status: event.outcome, runId: event.runId, receiptId: event.receiptId };
  return plan;
}
