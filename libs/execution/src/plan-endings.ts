import { Injectable } from '@nestjs/common';
import type { Plan, SessionId } from '#contracts';
import { type Append, EventFeed, type Tx } from '#platform';
import { Asks } from '#policy';
import { scopeOf } from './core/event-scope.js';
import { PlanDecisions } from './plan-decisions.js';
import { PlanRepository } from './repositories.js';

type Unrun = 'cancelled' | 'expired' | 'stale';

/** Ends plans that never run. A plan whose ask is open ends through its ask, so that both say the same. */
@Injectable()
export class PlanEndings {
  constructor(
    private readonly plans: PlanRepository,
    private readonly asks: Asks,
    private readonly decisions: PlanDecisions,
    private readonly feed: EventFeed,
  ) {}

  /** False: someone else moved it first. */
  async end(tx: Tx, append: Append, plan: Plan, to: Exclude<Unrun, 'stale'>): Promise<boolean> {
    if (plan.status === 'awaiting_approval' && plan.askId) {
      await this.asks.cancel(tx, append, plan.askId, to);
      return true;
    }
    return this.#move(tx, append, plan, to, []);
  }

  /** Everything of a session that still waits, for a person or to be run. */
  async endAllIn(tx: Tx, append: Append, sessionId: SessionId, to: 'cancelled' | 'expired'): Promise<void> {
    for (const plan of await this.plans.openIn(tx, sessionId)) await this.end(tx, append, plan, to);
  }

  /** The same as `end` in a transaction of its own. */
  endNow(plan: Plan, to: Exclude<Unrun, 'stale'>): Promise<boolean> {
    return this.feed.write((tx, append) => this.end(tx, append, plan, to));
  }

  /** A plan that is not what it was any more; its receipt says what has changed. */
  stale(plan: Plan, changed: readonly string[]): Promise<boolean> {
    return this.feed.write((tx, append) => this.#move(tx, append, plan, 'stale', changed));
  }

  /** What a person had decided on, and what no longer is what it was, leaves evidence; a plan that nobody wanted to run does not. */
  async #move(tx: Tx, append: Append, plan: Plan, to: Unrun, changed: readonly string[]): Promise<boolean> {
    if (!(await this.plans.move(tx, plan.id, { from: [plan.status], to }))) return false;
    const approvals = plan.askId ? await this.asks.approvalsOf(plan.id, tx) : [];
    if (plan.askId || to === 'stale') await this.decisions.record(tx, append, plan, { outcome: to, approvals, changed });
    await append(scopeOf(plan), { type: 'plan.moved', planId: plan.id, status: to, expiresAt: plan.expiresAt });
    return true;
  }
}
