import type { Decision, Risk, Stage, StageFacts } from '#contracts';
import { Analysis, type Finding } from './analysis.js';
import type { Context } from './context.js';
import { displayFault, revealed } from './display.js';
import { judgeEnv } from './env.js';
import { limitHit } from './limits.js';
import type { PathLook } from './path-look.js';
import { judgePath } from './paths/judge.js';
import { isInside, resolvePath } from './paths/resolve.js';
import { stricter, type Level, type PolicyDocument } from './policy-document.js';
import type { CommandQuestion } from './question.js';
import { remembering } from './remembering-look.js';
import { RULES, type RuleId } from './rules.js';
import { decideArgv } from './stage.js';

const MAX_REASONS = 40;

/** Decides a command on its typed words. The strictest finding of all stages wins; a mode turns it into an outcome. */
export function decideCommand(question: CommandQuestion, look: PathLook, policy: PolicyDocument): Decision {
  const { stages, mode } = question;
  if (stages.length === 0) return verdict([named('command.empty', '')], [], mode, policy);
  const hit = limitHit(stages);
  if (hit) return verdict([hit], [], mode, policy);
  const context = contextOf(question, remembering(look));
  const analyses = stages.map((stage) => analyse(stage, context, question));
  joinPipes(stages, analyses);
  const decision = verdict(analyses.flatMap(({ findings }) => findings), analyses.map((analysis) => analysis.facts()), mode, policy); // prettier-ignore
  const { outcome, risk } = decision;
  return { ...decision, base: { outcome, risk, findings: analyses.map(rulesOf) } };
}

function rulesOf({ findings }: Analysis): readonly string[] {
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** Both folders as they really are; a workspace that does not exist is taken by its words. */
function contextOf(question: CommandQuestion, look: PathLook): Omit<Context, 'line'> {
  const root = resolvePath(look, '/', question.root, true)?.real ?? question.root;
  const cwd = resolvePath(look, root, question.cwd, true)?.real ?? question.cwd;
  const dataDir = question.dataDir === undefined ? null : (resolvePath(look, '/', question.dataDir, true)?.real ?? question.dataDir);
  return { look, root, cwd, dataDir, toolPaths: question.toolPaths, sandbox: question.sandbox, depth: 0, offset: 0 };
}

function analyse(stage: Stage, shared: Omit<Context, 'line'>, { env }: CommandQuestion): Analysis {
  const analysis = new Analysis(stage.argv);
  const context: Context = { ...shared, line: { words: stage.argv, messages: new Set() } };
  if (!isInside(context.root, context.cwd)) analysis.fire('path.outside', context.cwd);
  const folderFault = displayFault(context.cwd.slice(context.root.length), 'word');
  if (folderFault !== null) analysis.fire(folderFault, revealed(context.cwd));
  for (const [name, value] of Object.entries(env)) judgeEnv(analysis, name, value);
  decideArgv(stage.argv, context, analysis);
  for (const { stream, path } of stage.redirects) {
    const fault = displayFault(path, 'word');
    if (fault !== null) analysis.fire(fault, revealed(path));
    judgePath(analysis, context, path, stream === 'stdin' ? 'read' : 'write');
  }
  if (context.sandbox !== 'full' && analysis.runsProjectCode) analysis.fire('sandbox.missing', '');
  return analysis;
}

/** What flows through a pipe: a download must not become program text. */
function joinPipes(stages: readonly Stage[], analyses: readonly Analysis[]): void {
  let downloads = false;
  stages.forEach(({ join }, index) => {
    const analysis = analyses[index];
    if (!analysis) return;
    if (join !== 'pipe') downloads = false;
    if (downloads && analysis.codeTaker !== null) analysis.fire('download.run', analysis.codeTaker);
    downloads ||= analysis.network;
  });
  judgeFetchedFiles(analyses);
}

/** What one stage downloads must not be run by a later one before anybody has seen it. */
function judgeFetchedFiles(analyses: readonly Analysis[]): void {
  const fetched = new Set<string>();
  let unnamed = false;
  for (const analysis of analyses) {
    for (const { target, note } of analysis.targets('execute')) {
      if (fetched.has(target) || (unnamed && note === 'does not exist yet')) analysis.fire('download.run', target);
    }
    if (!analysis.network) continue;
    for (const { target } of analysis.targets('write')) fetched.add(target);
    unnamed ||= analysis.writes;
  }
}

function verdict(
  findings: readonly Finding[],
  stages: readonly StageFacts[],
  mode: keyof PolicyDocument['outcomes'],
  policy: PolicyDocument,
): Decision {
  const found = findings.length > 0 ? unique(findings) : [named('read.only', '')];
  const rows = found.map((finding) => ({ ...finding, ...(policy.rules[finding.rule] ?? RULES[finding.rule]) }));
  const level = rows.map((row) => row.level).reduce(stricter, 'read');
  const outcome = policy.outcomes[mode][level];
  const told = rows.toSorted((one, other) => rank(other.level) - rank(one.level)).slice(0, MAX_REASONS);
  const modeNote = outcome === 'deny' && level !== 'never';
  return {
    outcome,
    risk: outcome === 'deny' ? 'blocked' : rows.map(({ risk }) => risk).reduce(higher, 'low'),
    reasons: [...(modeNote ? [`Mode ${mode} only runs what is known to read.`] : []), ...told.map(({ reason }) => reason)],
    rules: [...(modeNote ? [`mode.${mode}`] : []), ...told.map(({ rule }) => rule)],
    stages,
    policyVersion: policy.version,
    quorum: policy.quorum,
    notRequester: policy.notRequester,
  };
}

function named(rule: RuleId, what: string): Finding {
  return { rule, reason: RULES[rule].says.replace('{}', () => what) };
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.rule} ${finding.reason}`, finding])).values()];
}

function rank(level: Level): number {
  return level === 'read' ? 0 : level === 'work' ? 1 : level === 'grave' ? 2 : 3;
}

function higher(one: Exclude<Risk, 'blocked'>, other: Exclude<Risk, 'blocked'>): Exclude<Risk, 'blocked'> {
  if (one === 'high' || other === 'high') return 'high';
  return one === 'medium' || other === 'medium' ? 'medium' : 'low';
}
