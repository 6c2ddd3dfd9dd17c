import { Injectable } from '@nestjs/common';
import type { ApprovalFact, Plan, ReceiptId } from '#contracts';
import { type Append, Clock, type Tx } from '#platform';
import { Receipts } from '#receipts';
import { scopeOf } from './core/event-scope.js';
import { decisionEvidence, type UnrunOutcome } from './core/run-receipt.js';
import { PlanRepository, WorkspaceRepository } from './repositories.js';

export interface PlanVerdict {
  readonly outcome: UnrunOutcome;
  readonly approvals: readonly ApprovalFact[];
  /** What was not what the plan had seen. */
  readonly changed?: readonly string[];
}

/** Writes the evidence of plans that never run, in the transaction that ends them. */
@Injectable()
export class PlanDecisions {
  constructor(
    private readonly plans: PlanRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly receipts: Receipts,
    private readonly clock: Clock,
  ) {}

  async record(tx: Tx, append: Append, plan: Plan, { outcome, approvals, changed = [] }: PlanVerdict): Promise<void> {
    const workspace = await this.workspaces.find(plan.workspaceId, tx);
    if (!workspace) return; // rows of workspaces are never removed while plans name them
    const evidence = decisionEvidence(plan, workspace, { outcome, at: this.clock.now(), approvals, changed });
    const file = await this.receipts.write(tx, append, {
      scope: scopeOf(plan),
      body: null,
      evidence,
      approverNames: approvals.map(({ name }) => name),
      workspaceName: workspace.name,
      ...toolOf(plan),
    });
    await this.plans.link(tx, plan.id, { receiptId: file.evidence.id as ReceiptId }); // the receipt's own id, as plain text
  }
}

/** What the plan would have run first. */
export function toolOf({ decision }: Plan): { readonly tool?: string } {
  const tool = decision.stages[0]?.tool;
  return tool === undefined ? {} : { tool };
}
