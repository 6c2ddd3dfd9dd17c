import type { Decision, Plan, ReplayChange } from '#contracts';
import { BASE_POLICY } from '../base-policy.js';
import type { Circumstances } from './match.js';
import { ruleOn, type ReadyDocument } from './rule-on.js';

export type ReplayedPlan = Pick<
  Plan,
  'id' | 'sessionId' | 'workspaceId' | 'owner' | 'ownerName' | 'body' | 'decision' | 'createdAt' | 'requester'
>;

/** What a document would have said to a plan when it was made. Undefined: too little was stored with it to say. */
export function decideAgain(plan: ReplayedPlan, workspace: Circumstances['workspace'], document: ReadyDocument): Decision | undefined {
  const { decision, body, requester, sessionId, createdAt } = plan;
  if (decision.base === undefined || requester === undefined) return undefined;
  const circumstances = { workspace, requester, sessionId, mode: body.mode, cwd: body.cwd, at: createdAt };
  return ruleOn(builtIn(decision, decision.base), body.stages, circumstances, document);
}

/** What would be another verdict; undefined: it would be the same. */
export function changeOf({ id, workspaceId, ownerName, createdAt, body, decision }: ReplayedPlan, now: Decision): ReplayChange | undefined {
  const [was, wouldBe] = [decision.outcome, now.outcome];
  const order = { allow: 0, ask: 1, deny: 2 };
  const change =
    was === wouldBe ? (termsOf(decision) === termsOf(now) ? undefined : 'terms') : order[wouldBe] < order[was] ? 'looser' : 'stricter';
  if (change === undefined) return undefined;
  const command = body.command ?? body.stages.map(({ argv }) => argv.join(' ')).join(' ; ');
  return {
    planId: id,
    command: command.slice(0, 500),
    workspaceId,
    ownerName,
    createdAt,
    was,
    wouldBe,
    change,
    rules: now.rules.filter((rule) => rule.startsWith('document:')),
  };
}

/** The verdict before any document had its word. */
function builtIn(decision: Decision, base: NonNullable<Decision['base']>): Decision {
  const { stages, policyVersion } = decision;
  const { outcome, risk } = base;
  return {
    outcome,
    risk,
    reasons: [],
    rules: [],
    stages,
    policyVersion,
    quorum: BASE_POLICY.quorum,
    notRequester: BASE_POLICY.notRequester,
    base,
  };
}

function termsOf({ outcome, quorum, notRequester, terms, limits }: Decision): string {
  return JSON.stringify(outcome === 'ask' ? [quorum, notRequester, terms ?? null, limits ?? null] : [limits ?? null]);
}
