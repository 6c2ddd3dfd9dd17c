import type { ExampleResult, PolicyExample, PolicyIssue, PolicyRule, PolicyText } from '#contracts';
import { BASE_POLICY } from '../base-policy.js';
import { parseCommand } from '../command/parse.js';
import { decideCommand } from '../decide.js';
import { NOTHING } from '../path-look.js';
import { lexicalPath } from '../paths/resolve.js';
import type { Circumstances, Condition } from './match.js';
import type { Place } from './read.js';
import { matchesRule, readyDocument, ruleOn, type ReadyDocument } from './rule-on.js';

/** A workspace that exists nowhere: examples are about words, not about a machine. */
const ROOT = '/example';
const MAX_EXAMPLES = 1_000;

export interface CheckedExamples {
  readonly results: readonly ExampleResult[];
  readonly issues: readonly PolicyIssue[];
}

/** Decides every example of every rule, and says which of them do not do what they say. */
export function checkExamples(document: PolicyText, place: Place): CheckedExamples {
  const whole = readyDocument(document, 'draft');
  const all = document.rules.flatMap((rule, index) => [
    ...rule.examples.match.map((example, at) => ({
      rule,
      example,
      kind: 'match' as const,
      path: ['rules', index, 'examples', 'match', at],
    })),
    ...rule.examples.notMatch.map((example, at) => ({
      rule,
      example,
      kind: 'not_match' as const,
      path: ['rules', index, 'examples', 'not_match', at],
    })),
  ]);
  if (all.length > MAX_EXAMPLES)
    return { results: [], issues: [{ line: 1, column: 1, path: '', message: `has more than ${MAX_EXAMPLES} examples` }] };
  const results: ExampleResult[] = [];
  const issues: PolicyIssue[] = [];
  for (const { rule, example, kind, path } of all) {
    const checked = check(rule, example, whole);
    const { line, column } = place(path);
    const isAsSaid = typeof checked !== 'string' && checked.matches === (kind === 'match');
    const text = example.command ?? example.argv?.join(' ') ?? '';
    results.push({ rule: rule.name, kind, text, ok: isAsSaid, outcome: typeof checked === 'string' ? 'deny' : checked.outcome, line });
    if (isAsSaid) continue;
    const why = typeof checked === 'string' ? checked : kind === 'match' ? 'the rule does not match it' : 'the rule matches it';
    issues.push({ line, column, path: path.join('.'), message: `The example of ${rule.name} does not hold: ${why}` });
  }
  return { results, issues };
}

function check(
  rule: PolicyRule,
  example: PolicyExample,
  whole: ReadyDocument,
): { readonly matches: boolean; readonly outcome: ExampleResult['outcome'] } | string {
  const circumstances = circumstancesOf(rule, example);
  const where = { root: ROOT, cwd: circumstances.cwd };
  const parsed = example.command === null ? null : parseCommand(example.command, where, NOTHING);
  if (parsed?.ok === false) return `it cannot be read: ${parsed.message}`;
  const stages = parsed?.value ?? [{ join: 'first' as const, argv: example.argv ?? [], redirects: [] }];
  const question = {
    ...where,
    stages,
    command: example.command,
    mode: circumstances.mode,
    env: {},
    toolPaths: [],
    sandbox: 'full' as const,
  };
  const base = decideCommand(question, NOTHING, BASE_POLICY);
  return {
    matches: matchesRule(rule, base, stages, circumstances, untold(example)),
    outcome: ruleOn(base, stages, circumstances, whole).outcome,
  };
}

/** What the example does not say is as the rule wants it. */
function circumstancesOf({ match }: PolicyRule, example: PolicyExample): Circumstances {
  const workspace = example.workspace ?? match.workspaces[0] ?? 'example';
  const principal = example.principal ?? match.principals[0] ?? 'agent';
  return {
    workspace: { id: workspace, name: workspace, root: ROOT },
    requester: {
      id: principal,
      name: principal,
      personId: null,
      kind: example.kind ?? match.kinds[0] ?? 'token',
      roles: example.roles ?? match.roles,
    },
    sessionId: example.session ?? match.sessions[0] ?? null,
    mode: example.mode ?? match.modes[0] ?? 'confirm',
    cwd: lexicalPath(ROOT, example.cwd ?? match.cwd ?? '.'),
    at: example.at === null ? 0 : Date.parse(example.at),
  };
}

function untold({ workspace, principal, kind, roles, session, mode, cwd, at }: PolicyExample): ReadonlySet<Condition> {
  const given: Readonly<Record<Condition, unknown>> = {
    workspaces: workspace,
    principals: principal,
    kinds: kind,
    roles,
    sessions: session,
    modes: mode,
    cwd,
    times: at,
  };
  return new Set((Object.keys(given) as Condition[]).filter((condition) => given[condition] === null));
}
