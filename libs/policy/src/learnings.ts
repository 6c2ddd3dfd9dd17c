import { Injectable } from '@nestjs/common';
import { seesWorkIn } from '#contracts';
import type { Generalisation, LearnedOffers, Plan, PlanId, PolicyVersion, Principal } from '#contracts';
import { AppError, unwrap } from '#platform';
import { isApproved, learnFrom, unlearnable, withRules, type LearnedRule } from './core/documents/learn.js';
import { checkMayChange, checkMayRead } from './core/documents/may-change.js';
import { readDocument } from './core/documents/read.js';
import { PolicyDocuments } from './documents.js';
import { PlanHistory } from './plan-history.js';
import { Replays } from './replays.js';

const REPLAY_DAYS = 7;
const REPLAY_LIMIT = 20;

export interface AcceptLearned {
  readonly by: Principal;
  readonly planId: PlanId;
  readonly kind: Generalisation;
  readonly previous: number;
  readonly note: string;
}

/** Owner of what may be learned from an approved plan. Offers rules; taking one is a save like any other. */
@Injectable()
export class Learnings {
  constructor(
    private readonly documents: PolicyDocuments,
    private readonly history: PlanHistory,
    private readonly replays: Replays,
  ) {}

  async offers(principal: Principal, planId: PlanId): Promise<LearnedOffers> {
    unwrap(checkMayRead(principal));
    const plan = await this.history.source.find(principal, planId);
    const { version: current, yaml, document } = await this.documents.current();
    const refusal = refusalOf(plan);
    if (refusal !== null) return { planId, offers: [], refusal, current };
    const rules = learnFrom(plan, await this.history.workspace(plan.workspaceId));
    const offers = [];
    for (const { kind, title, rules: rule } of rules) {
      const draft = withRules(yaml, document, rule);
      const read = readDocument(draft);
      if (!read.ok) continue;
      const replay = await this.replays.of(read.document, REPLAY_DAYS, REPLAY_LIMIT);
      // The numbers are about everything; single plans are shown where the caller has a role.
      const changes = replay.changes.filter(({ workspaceId }) => seesWorkIn(principal, workspaceId));
      offers.push({ kind, title, rule, yaml: draft, replay: { ...replay, changes } });
    }
    return { planId, offers, refusal: offers.length > 0 ? null : 'No rule would let it run by itself', current };
  }

  /** One rule of an approved plan that the caller may see. */
  async rule(principal: Principal, planId: PlanId, kind: Generalisation): Promise<LearnedRule> {
    const plan = await this.history.source.find(principal, planId);
    const refusal = refusalOf(plan);
    const rules = refusal === null ? learnFrom(plan, await this.history.workspace(plan.workspaceId)) : [];
    const found = rules.find((rule) => rule.kind === kind);
    if (!found) throw new AppError('LEARNING_REFUSED', refusal ?? 'This plan offers no such rule', { planId, kind });
    return found;
  }

  async accept({ by, planId, kind, previous, note }: AcceptLearned): Promise<PolicyVersion> {
    unwrap(checkMayChange(by));
    const { rules } = await this.rule(by, planId, kind);
    const { yaml, document } = await this.documents.current();
    return this.documents.save({ by, yaml: withRules(yaml, document, rules), previous, note });
  }
}

function refusalOf(plan: Plan): string | null {
  if (!isApproved(plan)) return 'Nobody has approved this plan';
  if (plan.decision.terms !== undefined) return 'A rule of the team wants a person to decide this each time';
  return unlearnable(plan.decision);
}
