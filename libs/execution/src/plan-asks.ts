import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ApprovalFact, Ask, PlanStatus, Vote } from '#contracts';
import { type Append, Clock, type Tx } from '#platform';
import { AskKinds } from '#policy';
import { scopeOf } from './core/event-scope.js';
import { deadline } from './core/plan-status.js';
import { PlanDecisions } from './plan-decisions.js';
import { PlanRepository } from './repositories.js';

/** Moves a plan when its ask closes, in the transaction that closes it. */
@Injectable()
export class PlanAsks implements OnModuleInit {
  constructor(
    private readonly kinds: AskKinds,
    private readonly plans: PlanRepository,
    private readonly decisions: PlanDecisions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.kinds.register('plan_approval', { closed: (tx, append, ask) => this.#closed(tx, append, ask) });
  }

  async #closed(tx: Tx, append: Append, ask: Ask): Promise<void> {
    const plan = ask.planId && (await this.plans.find(ask.planId, tx));
    const to = statusAfter(ask);
    if (!plan || to === undefined) return;
    const expiresAt = to === 'approved' ? deadline(to, this.clock.now()) : plan.expiresAt;
    if (!(await this.plans.move(tx, plan.id, { from: ['awaiting_approval'], to, expiresAt }))) return;
    // A no and a silence are evidence as well; a yes stands in the receipt of what follows from it.
    if (to !== 'approved') await this.decisions.record(tx, append, plan, { outcome: to, approvals: ask.votes.map(toFact) });
    await append(scopeOf(plan), { type: 'plan.moved', planId: plan.id, status: to, expiresAt });
  }
}

function toFact({ by, byName, channel, answer, reason, at }: Vote): ApprovalFact {
  return { by, name: byName, channel, answer, reason, at: new Date(at).toISOString() };
}

/** Each way an ask ends has its own word for the plan. Undefined: it says nothing about a plan. */
function statusAfter({ status }: Ask): Extract<PlanStatus, 'approved' | 'rejected' | 'expired' | 'cancelled'> | undefined {
  switch (status) {
    case 'approved':
      return 'approved';
    case 'denied':
      return 'rejected';
    case 'expired':
      return 'expired';
    case 'cancelled':
    case 'host_gone':
    case 'unavailable':
    case 'unknown':
      return 'cancelled';
    case 'open':
    case 'answered':
      return undefined;
  }
}
