import { Injectable } from '@nestjs/common';
import type { Ask, DecisionOutcome, Decision, Vote, Workspace } from '#contracts';
import { Workspaces } from '#execution';
import { type Append, Clock, type Tx } from '#platform';
import { Receipts } from '#receipts';
import type { AskedWhere } from './core/host-ask.js';
import type { RaisedAsk } from './host-driver.js';

/** Writes down how asks of hosts ended, in the transaction that ends them. */
@Injectable()
export class AskReceipts {
  constructor(
    private readonly receipts: Receipts,
    private readonly workspaces: Workspaces,
    private readonly clock: Clock,
  ) {}

  async closed(tx: Tx, append: Append, ask: Ask): Promise<void> {
    const workspace = ask.workspaceId && (await this.workspaces.get(ask.workspaceId, tx));
    if (!workspace || !ask.host) return;
    const approvals = ask.votes.map(toFact);
    const answers = (ask.answers ?? []).map(({ id, byName, channel, at }) => ({
      question: id,
      by: byName,
      channel,
      at: new Date(at).toISOString(),
    }));
    await this.receipts.write(tx, append, {
      scope: { owner: ask.requester, sessionId: null, workspaceId: workspace.id },
      body: null,
      evidence: {
        kind: 'decision',
        requester: { id: ask.requester, name: ask.requesterName, kind: 'host', channel: 'mcp' },
        at: new Date(this.clock.now()).toISOString(),
        summary: `${ask.title}: ${ask.status}`,
        workspace: { id: workspace.id, name: workspace.name, root: workspace.root },
        approvals,
        outcome: outcomeOf(ask.status),
        details: {
          ask_id: ask.id,
          ask_status: ask.status,
          digest: ask.digest,
          host: ask.host,
          answers,
          ...(ask.endedWhy != null && { why: ask.endedWhy }),
        },
      },
      approverNames: approvals.map(({ name }) => name),
      workspaceName: workspace.name,
    });
  }

  /** What nobody was asked about: policy refused it, or the operator's switch granted it. */
  async unasked(
    tx: Tx,
    append: Append,
    raised: RaisedAsk,
    { where, workspace, command }: { readonly where: AskedWhere; readonly workspace: Workspace; readonly command: string | null },
    verdict: { readonly granted: boolean; readonly decision: Decision | null },
  ): Promise<void> {
    const { decision, granted } = verdict;
    const owner = where.requester ?? ('system' as never); // an owner that is nobody's
    await this.receipts.write(tx, append, {
      scope: { owner, sessionId: null, workspaceId: workspace.id },
      body: null,
      evidence: {
        kind: 'decision',
        requester: { id: owner, name: where.requesterName, kind: 'host', channel: 'mcp' },
        at: new Date(this.clock.now()).toISOString(),
        summary: granted
          ? `${where.hostName} was let run a call by the switch of its operator`
          : `${where.hostName} was refused a call by policy`,
        workspace: { id: workspace.id, name: workspace.name, root: workspace.root },
        outcome: granted ? 'approved' : 'blocked',
        ...(decision && {
          policy: {
            version: decision.policyVersion,
            outcome: decision.outcome,
            risk: decision.risk,
            rules: decision.rules,
            reasons: decision.reasons,
          },
        }),
        details: {
          host: { hostId: where.hostId, hostSessionId: raised.sessionId, callId: raised.callId, command },
          ...(granted && { switch: 'autoApproveEscalations' }),
        },
      },
      approverNames: [],
      workspaceName: workspace.name,
    });
  }
}

function toFact({ by, byName, channel, answer, reason, at }: Vote) {
  return { by, name: byName, channel, answer, reason, at: new Date(at).toISOString() };
}

function outcomeOf(status: Ask['status']): DecisionOutcome {
  switch (status) {
    case 'approved':
    case 'answered':
    case 'expired':
      return status;
    case 'denied':
      return 'rejected';
    case 'open':
    case 'cancelled':
    case 'host_gone':
    case 'unavailable':
    case 'unknown':
      return 'cancelled';
  }
}
