import { createHash } from 'node:crypto';
import { isSeq, parseDocument, stringify } from 'yaml';
import type { Decision, Generalisation, Plan, PolicyText, StageFacts } from '#contracts';
import { isInside } from '../paths/resolve.js';
import { mayBeLowered, weighty } from './lowering.js';
import type { Circumstances } from './match.js';
import { readDocument } from './read.js';
import { decideAgain, type ReplayedPlan } from './replay.js';
import { readyDocument } from './rule-on.js';

/** Effects whose approval says nothing about the next time. */
const DANGEROUS: readonly string[] = ['delete', 'network', 'execute_inline', 'privilege', 'environment', 'process'];

/** Why an approval of this decision may neither become a rule nor be remembered; null when it may. */
export function unlearnable(decision: Decision): string | null {
  if (decision.outcome !== 'ask' || decision.base === undefined) return 'Nobody is asked about it';
  if (decision.stages.some(({ understood }) => !understood)) return 'It is not fully understood';
  const effect = DANGEROUS.find((one) => decision.stages.some(({ effects }) => effects.some((given) => given === one)));
  if (effect !== undefined) return `Its effects are weighed each time: ${effect.replace('_', ' ')}`;
  if (decision.base.outcome === 'ask' && !mayBeLowered(decision)) return 'It does what always needs a person';
  return decision.base.risk === 'high' ? 'Its risk is high' : null;
}

export interface LearnedRule {
  readonly kind: Generalisation;
  readonly title: string;
  /** The rules as YAML: a list. */
  readonly rules: string;
}

/** Rules that would have let this plan run by itself, the narrowest first. Each is tried on the plan before it is offered. */
export function learnFrom(plan: ReplayedPlan, workspace: Circumstances['workspace']): readonly LearnedRule[] {
  const heavy = plan.decision.stages.flatMap((facts, index) =>
    weighty(plan.decision.base?.findings[index] ?? []).length > 0 ? [{ facts, argv: plan.body.stages[index]?.argv ?? [] }] : [],
  );
  if (heavy.length === 0 || heavy.length > 4) return [];
  const names = [...new Set(heavy.map(({ facts }) => facts.tool))];
  const where = { workspace: workspace.name };
  const cwd = isInside(workspace.root, plan.body.cwd) ? plan.body.cwd.slice(workspace.root.length + 1) || '.' : null;
  const wide = heavy.map(({ facts }) => ({ ...where, tool: facts.tool, effect: effectsOf(facts) }));
  const hasSubcommands = heavy.every(({ facts }) => facts.subcommand !== null);
  const candidates: readonly (readonly [Generalisation, string, readonly object[]])[] = [
    ['exact', 'Exactly these words in this folder', cwd === null ? [] : heavy.map(({ argv }) => ({ ...where, cwd, argv }))],
    [
      'subcommand',
      `This subcommand of ${names.join(' and ')} in this workspace`,
      hasSubcommands ? heavy.map(({ facts }, at) => ({ ...wide[at], subcommand: facts.subcommand })) : [],
    ],
    ['tool', `${names.join(' and ')} in this workspace, with the same effects`, wide],
  ];
  return candidates.flatMap(([kind, title, matches]) => {
    const rules = stringify(
      unique(matches).map((match) => toRule(match, names[0] ?? 'command')),
      { lineWidth: 0 },
    );
    return matches.length > 0 && lowers(plan, workspace, rules) ? [{ kind, title, rules }] : [];
  });
}

function effectsOf({ effects }: StageFacts): readonly string[] {
  return [...new Set(['read', ...effects])];
}

function unique(matches: readonly object[]): readonly object[] {
  return [...new Map(matches.map((match) => [JSON.stringify(match), match])).values()];
}

function toRule(match: object, tool: string): object {
  const mark = createHash('sha256').update(JSON.stringify(match)).digest('hex').slice(0, 8);
  const name = `learned-${tool
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)}-${mark}`;
  return { name, match, outcome: 'allow', reason: 'Learned from a plan that a person approved.' };
}

function lowers(plan: ReplayedPlan, workspace: Circumstances['workspace'], rules: string): boolean {
  const read = readDocument(`name: learned\nrules:\n${indented(rules)}`);
  return read.ok && decideAgain(plan, workspace, readyDocument(read.document, 'learned'))?.outcome === 'allow';
}

/** The rules of a list as a document of their own. */
export function asDocument(rules: string): string {
  return `name: proposal\nrules:\n${indented(rules)}`;
}

function indented(rules: string): string {
  return rules.split('\n').map((line) => (line === '' ? line : `  ${line}`)).join('\n'); // prettier-ignore
}

/** A document with more rules behind those that it has; its comments stay. A rule that is there already under its name is left as it is. */
export function withRules(yaml: string, current: PolicyText, rules: string): string {
  const document = parseDocument(yaml);
  // Read as it was checked, within a document: YAML by itself may read the same list otherwise.
  const { rules: added } = parseDocument(asDocument(rules)).toJS() as { readonly rules: readonly { readonly name?: string }[] };
  const known = new Set(current.rules.map(({ name }) => name));
  const list = document.get('rules');
  if (isSeq(list)) list.flow = false;
  for (const rule of added.filter(({ name }) => name === undefined || !known.has(name)))
    document.addIn(['rules'], document.createNode(rule));
  return document.toString({ lineWidth: 0 });
}

/** Whether a person has approved the plan: it runs, has run, or waits to be run. */
export function isApproved({ status, runId }: Pick<Plan, 'status' | 'runId'>): boolean {
  return status === 'approved' || runId !== null;
}
