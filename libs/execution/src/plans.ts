import { Injectable } from '@nestjs/common';
import type { Plan, PlanId, PlanStatus, Principal, RunId, Scope, SessionId } from '#contracts';
import { AppError, Clock, unwrap } from '#platform';
import { mayActOn, maySeeWorkOf, workSeenBy } from './core/may-act.js';
import { isOverdue, move } from './core/plan-status.js';
import { PlanEndings } from './plan-endings.js';
import { PlanRepository, SessionRepository } from './repositories.js';

export interface PlanSearch {
  readonly status?: PlanStatus | undefined;
  readonly sessionId?: SessionId | undefined;
  readonly before?: PlanId | undefined;
  readonly limit: number;
}

/** Owner of plans after they were made: reading, cancelling, expiring. */
@Injectable()
export class Plans {
  constructor(
    private readonly plans: PlanRepository,
    private readonly sessions: SessionRepository,
    private readonly endings: PlanEndings,
    private readonly clock: Clock,
  ) {}

  /** An id is not a credential: a stranger's plan, a plan of another session and no plan look the same. */
  async get(principal: Principal, id: PlanId, sessionId?: SessionId): Promise<Plan> {
    const plan = await this.plans.find(id);
    const isHere = sessionId === undefined || plan?.sessionId === sessionId;
    if (!plan || !isHere || !maySeeWorkOf(principal, plan)) throw new AppError('PLAN_NOT_FOUND', 'No such plan', { planId: id });
    return plan;
  }

  async getToAct(principal: Principal, id: PlanId, sessionId?: SessionId, scope: Scope = 'terminal:execute'): Promise<Plan> {
    const plan = await this.get(principal, id, sessionId);
    if (!mayActOn(principal, plan, scope)) {
      throw new AppError('SCOPE_MISSING', 'This needs the scope terminal:execute', { scope: 'terminal:execute' });
    }
    return plan;
  }

  /** A plan as it is now, and what its session is busy with. */
  async withSession(id: PlanId): Promise<{ readonly plan: Plan; readonly activeRunId: RunId | undefined }> {
    const plan = await this.plans.find(id);
    if (!plan) throw new AppError('PLAN_NOT_FOUND', 'No such plan', { planId: id });
    return { plan, activeRunId: await this.sessions.activeRun(plan.sessionId) };
  }

  /** Newest first. */
  page(principal: Principal, search: PlanSearch): Promise<readonly Plan[]> {
    return this.plans.page({ ...search, seen: workSeenBy(principal) });
  }

  /** Takes back a plan that has not been started. */
  async cancel(principal: Principal, id: PlanId, sessionId?: SessionId): Promise<Plan> {
    const plan = await this.getToAct(principal, id, sessionId, 'terminal:plan');
    unwrap(move(plan, 'cancelled', this.clock.now()));
    await this.endings.endNow(plan, 'cancelled');
    const now = await this.get(principal, id);
    if (now.status !== 'cancelled')
      throw new AppError('PLAN_STATUS_CONFLICT', 'Someone else acted on this plan first', { planId: id, status: now.status });
    return now;
  }

  /** Approved plans that nobody ran in time. Plans that wait for a person expire with their ask. */
  async expireOverdue(): Promise<void> {
    const now = this.clock.now();
    for (const plan of await this.plans.overdue(now, 100)) {
      if (isOverdue(plan, now)) await this.endings.endNow(plan, 'expired');
    }
  }
}
