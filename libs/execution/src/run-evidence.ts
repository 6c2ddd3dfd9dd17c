import { Injectable } from '@nestjs/common';
import type { ApprovalFact, Plan, PrincipalId, Run } from '#contracts';
import { Asks } from '#policy';
import type { ReceiptDraft } from '#receipts';
import { scopeOf } from './core/event-scope.js';
import { type Ending, receiptBody, runEvidence } from './core/run-receipt.js';
import { Workspaces } from './workspaces.js';

/** Gathers what the receipt of a run says: the plan, who approved it, and how the run ended. */
@Injectable()
export class RunEvidence {
  constructor(
    private readonly asks: Asks,
    private readonly workspaces: Workspaces,
  ) {}

  async draft(plan: Plan, run: Run, startedBy: PrincipalId, ending: Ending): Promise<ReceiptDraft> {
    const workspace = await this.workspaces.get(plan.workspaceId);
    const votes = plan.askId ? await this.asks.approvalsOf(plan.id) : [];
    const approvals = votes.length > 0 ? votes : [byPolicy(plan)];
    const story = { plan, run, workspace, startedBy, approvals, ending };
    return {
      scope: scopeOf(plan),
      body: receiptBody(story),
      evidence: runEvidence(story),
      approverNames: votes.filter(({ answer }) => answer === 'approve').map(({ name }) => name),
      workspaceName: workspace.name,
    };
  }
}

/** Nobody was asked: the policy of that moment let it run. */
function byPolicy({ decision, createdAt }: Plan): ApprovalFact {
  return {
    by: decision.policyVersion,
    name: 'Policy',
    channel: 'policy',
    answer: 'approve',
    reason: null,
    at: new Date(createdAt).toISOString(),
  };
}
