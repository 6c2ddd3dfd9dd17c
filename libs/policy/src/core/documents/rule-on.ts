import type { AskTerms, Decision, PolicyLimits, PolicyRule, PolicyRuleLimits, PolicyText, Risk, Stage } from '#contracts';
import { mayBeLowered, weighty } from './lowering.js';
import {
  concerns,
  covers,
  fitsCircumstances,
  fitsRisk,
  ready,
  staysWithin,
  type Circumstances,
  type Condition,
  type JudgedStage,
  type ReadyRule,
} from './match.js';

const MAX_REASONS = 40;
const NOTHING_UNTOLD: ReadonlySet<Condition> = new Set();

/** A document made ready to decide with. */
export interface ReadyDocument {
  readonly policyVersion: string;
  readonly rules: readonly ReadyRule[];
}

export function readyDocument({ rules }: PolicyText, policyVersion: string): ReadyDocument {
  return { policyVersion, rules: rules.map(ready) };
}

/**
 * What the team's document makes of the built-in verdict. Only ever adds, with one exception: an ask of the built-in
 * policy may become an allow, when every stage that asks is covered by a rule and nothing of it is beyond lowering.
 */
export function ruleOn(
  base: Decision,
  stages: readonly Stage[],
  circumstances: Circumstances,
  { policyVersion, rules }: ReadyDocument,
): Decision {
  const verdict = base.base;
  const now: Decision = { ...base, policyVersion };
  if (base.outcome === 'deny' || verdict === undefined) return now;
  const judged = judgedStages(base, stages);
  const here = rules.filter((rule) => fitsCircumstances(rule, circumstances, NOTHING_UNTOLD) && fitsRisk(rule, verdict.risk));
  const { root } = circumstances.workspace;
  const strict = here.filter(({ rule }) => rule.outcome !== 'allow').filter((rule) => judged.some((stage) => concerns(rule, stage, root)));
  const allows = here
    .filter(({ rule }) => rule.outcome === 'allow')
    .filter((rule) => judged.some((stage) => weighty(stage.findings).length > 0 && covers(rule, stage, root)));
  const denies = strict.filter(({ rule }) => rule.outcome === 'deny');
  if (denies.length > 0) return denied(now, denies, 'does not let this run');
  const limiting = [...strict, ...allows].filter(({ rule }) => rule.limits !== null);
  const limits = mergedLimits(limiting.flatMap(({ rule }) => rule.limits ?? []));
  const { hosts } = limits;
  if (hosts !== undefined && !base.stages.every((facts) => staysWithin(hosts, facts)))
    return denied(now, limiting.filter(({ rule }) => rule.limits?.hosts != null), 'does not let this command use the network so'); // prettier-ignore
  const limited = Object.keys(limits).length > 0 ? { ...now, limits } : now;
  const asks = strict.filter(({ rule }) => rule.outcome === 'ask');
  if (asks.length > 0) return told(asked(limited, asks), asks, 'wants a person to decide');
  if (base.outcome === 'ask' && isCovered(base, judged, allows, root))
    return told({ ...limited, outcome: 'allow' }, allows, 'lets this run');
  return limiting.length > 0 ? told(limited, limiting, 'sets limits') : limited;
}

/** Whether this one rule matches a command: what examples ask. */
export function matchesRule(
  rule: PolicyRule,
  base: Decision,
  stages: readonly Stage[],
  circumstances: Circumstances,
  untold: ReadonlySet<Condition>,
): boolean {
  const prepared = ready(rule);
  if (!fitsCircumstances(prepared, circumstances, untold) || !fitsRisk(prepared, base.base?.risk ?? base.risk)) return false;
  const judged = judgedStages(base, stages);
  const { root } = circumstances.workspace;
  return rule.outcome === 'allow' ? judged.length > 0 && judged.every((stage) => covers(prepared, stage, root)) : judged.some((stage) => concerns(prepared, stage, root)); // prettier-ignore
}

function judgedStages({ base, stages: facts }: Decision, stages: readonly Stage[]): readonly JudgedStage[] {
  return stages.flatMap((stage, index) => {
    const known = facts[index];
    return known ? [{ stage, facts: known, findings: base?.findings[index] ?? [] }] : [];
  });
}

/** Every stage runs by itself already, or one allow speaks of all of it. */
function isCovered(base: Decision, judged: readonly JudgedStage[], allows: readonly ReadyRule[], root: string): boolean {
  if (!mayBeLowered(base) || judged.length !== base.stages.length) return false;
  return judged.every((stage) => weighty(stage.findings).length === 0 || allows.some((rule) => covers(rule, stage, root)));
}

function denied(decision: Decision, rules: readonly ReadyRule[], words: string): Decision {
  return told({ ...decision, outcome: 'deny', risk: 'blocked' }, rules, words);
}

/** All must be content: the larger quorum, everybody's deciders, the shortest time. */
function asked(decision: Decision, rules: readonly ReadyRule[]): Decision {
  const wishes = rules.flatMap(({ rule }) => rule.ask ?? []);
  const times = wishes.flatMap(({ withinMs }) => withinMs ?? []);
  const deciders = new Map(wishes.flatMap((wish) => wish.deciders).map((one) => [JSON.stringify(one), one]));
  const terms: AskTerms = {
    deciders: [...deciders.values()],
    withinMs: times.length === 0 ? null : Math.min(...times),
    onExpiry: wishes.some(({ withinMs, onExpiry }) => withinMs !== null && onExpiry === 'deny') || times.length === 0 ? 'deny' : 'wait',
    remember: wishes.every(({ remember }) => remember),
  };
  return {
    ...decision,
    outcome: 'ask',
    risk: atLeastMedium(decision.risk),
    quorum: Math.max(decision.quorum, ...wishes.map(({ quorum }) => quorum)),
    notRequester: decision.notRequester || wishes.some(({ notRequester }) => notRequester),
    terms,
  };
}

/** What a team wants a person to see is not left to the consent of a client. */
function atLeastMedium(risk: Risk): Risk {
  return risk === 'low' ? 'medium' : risk;
}

/** The tightest of each; a host stays open only where every list leaves it open. */
function mergedLimits(all: readonly PolicyRuleLimits[]): PolicyLimits {
  const times = all.flatMap(({ timeoutMs }) => timeoutMs ?? []);
  const sizes = all.flatMap(({ maxOutputBytes }) => maxOutputBytes ?? []);
  const lists = all.flatMap(({ hosts }) => (hosts === null ? [] : [hosts]));
  const hosts = lists.reduce<readonly string[] | undefined>(
    (open, list) => (open === undefined ? list : intersection(open, list)),
    undefined,
  );
  return {
    ...(times.length > 0 && { timeoutMs: Math.min(...times) }),
    ...(sizes.length > 0 && { maxOutputBytes: Math.min(...sizes) }),
    ...(hosts !== undefined && { hosts }),
    ...(all.some(({ sandboxRequired }) => sandboxRequired) && { sandboxRequired: true }),
  };
}

function intersection(one: readonly string[], other: readonly string[]): readonly string[] {
  const within = (host: string, list: readonly string[]): boolean =>
    list.some((pattern) => pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1))));
  return [...new Set([...one.filter((host) => within(host, other)), ...other.filter((host) => within(host, one))])];
}

function told(decision: Decision, rules: readonly ReadyRule[], words: string): Decision {
  const names = rules.map(({ rule }) => `document:${rule.name}`);
  const reasons = rules.map(({ rule }) => rule.reason ?? `The team's rule ${rule.name} ${words}.`);
  return {
    ...decision,
    reasons: [...reasons, ...decision.reasons].slice(0, MAX_REASONS),
    rules: [...names, ...decision.rules].slice(0, MAX_REASONS),
  };
}
