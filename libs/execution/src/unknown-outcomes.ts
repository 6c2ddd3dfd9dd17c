import { Injectable } from '@nestjs/common';
import type { Evidence, Plan, PlanId, Principal, ReceiptId } from '#contracts';
import { AppError, type Append, Clock, EventFeed, type Tx } from '#platform';
import { Receipts } from '#receipts';
import { scopeOf } from './core/event-scope.js';
import { Plans } from './plans.js';
import { PlanRepository } from './repositories.js';
import { Workspaces } from './workspaces.js';

/** What a person has found out about a run whose outcome nobody knew. */
export interface FoundOut {
  readonly outcome: 'succeeded' | 'failed';
  readonly note: string;
  /** What else the second receipt says. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Settles plans whose outcome is unknown. Only a person does, and it leaves a second receipt beside the first. */
@Injectable()
export class UnknownOutcomes {
  constructor(
    private readonly plans: PlanRepository,
    private readonly visible: Plans,
    private readonly workspaces: Workspaces,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  /** `also` is written in the same transaction. */
  async settle(
    by: Principal,
    id: PlanId,
    found: FoundOut,
    also: (tx: Tx, append: Append, receiptId: ReceiptId) => Promise<void>,
  ): Promise<Plan> {
    if (by.kind !== 'person') throw new AppError('SCOPE_MISSING', 'Only a person can say what happened', { scope: 'connector:use' });
    const plan = await this.visible.getToAct(by, id);
    const workspace = await this.workspaces.get(plan.workspaceId);
    const now = this.clock.now();
    await this.feed.write(async (tx, append) => {
      const moved = await this.plans.move(tx, plan.id, { from: ['unknown'], to: found.outcome });
      if (!moved) throw new AppError('PLAN_STATUS_CONFLICT', 'The outcome of this plan is known', { planId: id, status: plan.status });
      const { evidence } = await this.receipts.write(tx, append, {
        scope: scopeOf(plan),
        body: null,
        evidence: secondEvidence(plan, by, found, now, workspace),
        approverNames: [],
        workspaceName: workspace.name,
      });
      await also(tx, append, evidence.id as ReceiptId); // the receipt's own id, as plain text
      await append(scopeOf(plan), { type: 'plan.moved', planId: plan.id, status: found.outcome, expiresAt: plan.expiresAt });
    });
    return this.visible.get(by, id);
  }
}

function secondEvidence(
  plan: Plan,
  by: Principal,
  { outcome, note, details }: FoundOut,
  now: number,
  workspace: { readonly id: string; readonly name: string; readonly root: string },
): Omit<Evidence, 'schema' | 'id'> {
  return {
    kind: 'connector',
    requester: { id: by.id, name: by.name, kind: by.kind, channel: by.channel },
    at: new Date(now).toISOString(),
    summary: `A person found out that the action ${outcome === 'succeeded' ? 'had its effect' : 'had no effect'}`,
    plan_id: plan.id,
    plan_digest: plan.digest,
    session_id: plan.sessionId,
    ...(plan.runId && { run_id: plan.runId }),
    workspace: { id: workspace.id, name: workspace.name, root: workspace.root },
    outcome,
    details: { resolves: plan.receiptId, note, ...details },
  };
}
