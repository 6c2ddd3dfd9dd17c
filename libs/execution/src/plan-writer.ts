import { Injectable } from '@nestjs/common';
import type { Plan, Principal, ReceiptId, Workspace } from '#contracts';
import { type Append, EventFeed, PrincipalDirectory, type Tx } from '#platform';
import { Asks } from '#policy';
import { Receipts } from '#receipts';
import { scopeOf } from './core/event-scope.js';
import { askTitle } from './core/ask-title.js';
import { summaryOf } from './core/command-text.js';
import { decisionEvidence } from './core/run-receipt.js';
import { toolOf } from './plan-decisions.js';
import { PlanRepository, SessionRepository } from './repositories.js';
import { closed } from './sessions.js';

/** Writes a new plan with all that hangs on it, in one transaction. */
@Injectable()
export class PlanWriter {
  constructor(
    private readonly plans: PlanRepository,
    private readonly sessions: SessionRepository,
    private readonly asks: Asks,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly directory: PrincipalDirectory,
  ) {}

  /** The new plan; or the identical one of the same session that a person has been asked about already. */
  async write(principal: Principal, workspace: Workspace, plan: Plan): Promise<Plan> {
    const waitingKey = plan.decision.outcome === 'ask' ? `${plan.sessionId} ${plan.digest}` : null;
    const repeated = waitingKey === null ? undefined : await this.#repeated(waitingKey, plan.createdAt);
    if (repeated) return repeated;
    const behind = principal.personId === undefined ? null : await this.directory.nameOf(principal.personId);
    const written = await this.feed.write(async (tx, append) => {
      if (!(await this.sessions.touch(tx, plan.sessionId, plan.createdAt))) throw closed({ id: plan.sessionId, status: 'closed' });
      if (!(await this.plans.insert(tx, plan, waitingKey))) return undefined;
      return this.#withConsequences(tx, append, principal, workspace, plan, behind);
    });
    // Lost against the identical plan of a call that ran beside this one.
    return written ?? (await this.#repeated(waitingKey ?? '', plan.createdAt)) ?? this.write(principal, workspace, plan);
  }

  async #repeated(waitingKey: string, now: number): Promise<Plan | undefined> {
    const waiting = await this.plans.waiting(waitingKey);
    if (!waiting) return undefined;
    if (now < waiting.expiresAt) return waiting;
    await this.feed.write((tx) => this.plans.release(tx, waiting.id));
    return undefined;
  }

  async #withConsequences(
    tx: Tx,
    append: Append,
    principal: Principal,
    workspace: Workspace,
    plan: Plan,
    behind: string | null,
  ): Promise<Plan> {
    const scope = scopeOf(plan);
    switch (plan.decision.outcome) {
      case 'allow':
        await append(scope, { type: 'plan.created', plan });
        return plan;
      case 'ask': {
        const { id: askId } = await this.asks.open(tx, append, toAsk(principal, plan, behind));
        await this.plans.link(tx, plan.id, { askId });
        await append(scope, { type: 'plan.created', plan: { ...plan, askId } });
        return { ...plan, askId };
      }
      case 'deny': {
        const evidence = decisionEvidence(plan, workspace, { outcome: 'blocked', at: plan.createdAt, approvals: [] });
        const file = await this.receipts.write(tx, append, {
          scope,
          body: null,
          evidence,
          approverNames: [],
          workspaceName: workspace.name,
          ...toolOf(plan),
        });
        const receiptId = file.evidence.id as ReceiptId; // the receipt's own id, in the file as plain text
        await this.plans.link(tx, plan.id, { receiptId });
        await append(scope, { type: 'plan.created', plan: { ...plan, receiptId } });
        return { ...plan, receiptId };
      }
    }
  }
}

/** `behind` names the person whose token asks. */
function toAsk(
  principal: Principal,
  { id, sessionId, workspaceId, owner, ownerName, body, decision, digest, createdAt, expiresAt }: Plan,
  behind: string | null,
) {
  const { terms } = decision;
  return {
    kind: 'plan_approval',
    planId: id,
    sessionId,
    workspaceId,
    requester: owner,
    requesterName: ownerName,
    requesterPersonId: principal.personId ?? null,
    requesterPersonName: behind,
    title: askTitle(decision),
    summary: summaryOf(body),
    risk: decision.risk,
    reasons: decision.reasons,
    digest,
    quorum: decision.quorum,
    notRequester: decision.notRequester,
    ...(terms !== undefined && terms.deciders.length > 0 && { deciders: terms.deciders }),
    ...(terms?.withinMs != null && terms.onExpiry === 'wait' && { dueAt: createdAt + terms.withinMs }),
    expiresAt,
  } as const;
}
