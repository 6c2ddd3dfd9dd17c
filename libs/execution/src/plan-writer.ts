import { Injectable } from '@nestjs/common';
import type { Plan, Principal, ReceiptId, RememberedApproval, Workspace } from '#contracts';
import { type Append, EventFeed, PrincipalDirectory, type Tx } from '#platform';
import { Asks, type NewAsk, Remembered } from '#policy';
import { familyOf } from '#policy/core';
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
    private readonly remembered: Remembered,
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
    const ask = plan.decision.outcome === 'ask' ? toAsk(principal, plan, behind) : undefined;
    const remembered = ask && (await this.remembered.candidate(ask));
    const written = await this.feed.write(async (tx, append) => {
      if (!(await this.sessions.touch(tx, plan.sessionId, plan.createdAt))) throw closed({ id: plan.sessionId, status: 'closed' });
      if (!(await this.plans.insert(tx, plan, waitingKey))) return undefined;
      return this.#withConsequences(tx, append, workspace, plan, ask, remembered);
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
    workspace: Workspace,
    plan: Plan,
    ask: NewAsk | undefined,
    remembered: RememberedApproval | undefined,
  ): Promise<Plan> {
    const scope = scopeOf(plan);
    switch (plan.decision.outcome) {
      case 'allow':
        await append(scope, { type: 'plan.created', plan });
        return plan;
      case 'ask': {
        if (!ask) throw new Error('A plan that asks has nothing to ask');
        const { id: askId } = await this.asks.open(tx, append, ask, remembered);
        await this.plans.link(tx, plan.id, { askId });
        const asked = (await this.plans.find(plan.id, tx)) ?? { ...plan, askId }; // a remembered approval has moved it already
        await append(scope, { type: 'plan.created', plan: asked });
        return asked;
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
function toAsk(principal: Principal, plan: Plan, behind: string | null): NewAsk {
  const { id, sessionId, workspaceId, owner, ownerName, body, decision, digest, createdAt, expiresAt } = plan;
  const { terms } = decision;
  const family = familyOf(plan);
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
    ...('refusal' in family ? { notRemembered: family.refusal } : { remembers: family }),
    expiresAt,
  };
}
