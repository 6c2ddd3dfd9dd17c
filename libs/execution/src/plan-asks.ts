import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ApprovalFact, Ask, Plan, PlanStatus, ReceiptId, Vote } from '#contracts';
import { type Append, Clock, type Tx } from '#platform';
import { AskKinds } from '#policy';
import { Receipts } from '#receipts';
import { deadline } from './core/plan-status.js';
import { decisionEvidence } from './core/run-receipt.js';
import { PlanRepository, WorkspaceRepository } from './repositories.js';

/** Moves a plan when its ask closes, in the transaction that closes it. */
@Injectable()
export class PlanAsks implements OnModuleInit {
  constructor(
    private readonly kinds: AskKinds,
    private readonly plans: PlanRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly receipts: Receipts,
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
    if (to === 'rejected') await this.#evidence(tx, append, plan, ask);
    await append({ owner: plan.owner, sessionId: plan.sessionId }, { type: 'plan.moved', planId: plan.id, status: to, expiresAt });
  }

  /** A person's no is evidence as well. */
  async #evidence(tx: Tx, append: Append, plan: Plan, { votes }: Ask): Promise<void> {
    const workspace = await this.workspaces.find(plan.workspaceId, tx);
    if (!workspace) return; // rows of workspaces are never removed while plans name them
    const evidence = decisionEvidence(plan, workspace, { outcome: 'rejected', at: this.clock.now(), approvals: votes.map(toFact) });
    const scope = { owner: plan.owner, sessionId: plan.sessionId };
    const approverNames = votes.map(({ byName }) => byName);
    const file = await this.receipts.write(tx, append, { scope, body: null, evidence, approverNames, workspaceName: workspace.name });
    await this.plans.link(tx, plan.id, { receiptId: file.evidence.id as ReceiptId }); // the receipt's own id, as plain text
  }
}

function toFact({ by, byName, channel, answer, reason, at }: Vote): ApprovalFact {
  return { by, name: byName, channel, answer, reason, at: new Date(at).toISOString() };
}

/** Each way an ask ends has its own word for the plan. Undefined: it says nothing about a plan. */
function statusAfter({ status }: Ask): PlanStatus | undefined {
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
