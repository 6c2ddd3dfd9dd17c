import type { Effect, Mode, PolicyRule, Requester, Risk, Stage, StageFacts, Touch } from '#contracts';
import { isInside, segmentsOf } from '../paths/resolve.js';
import { matchesName, matchesPath, pathGlob, reachesBelow, type PathGlob } from './glob.js';
import { NEEDS_HOST, NEEDS_PATH, weighty } from './lowering.js';
import { nameKey } from './name-key.js';
import { isSameSubcommand } from './spellings.js';
import { isWithin } from './time-window.js';

/** Everything about a command that does not stand in its words. */
export interface Circumstances {
  readonly workspace: { readonly id: string; readonly name: string; readonly root: string };
  readonly requester: Pick<Requester, 'kind' | 'roles'> & { readonly id: string; readonly name: string; readonly personId: string | null };
  readonly sessionId: string | null;
  readonly mode: Mode;
  readonly cwd: string;
  readonly at: number;
}

/** One stage with what the built-in policy found about it. */
export interface JudgedStage {
  readonly stage: Stage;
  readonly facts: StageFacts;
  readonly findings: readonly string[];
}

export type Condition = 'workspaces' | 'principals' | 'kinds' | 'roles' | 'sessions' | 'modes' | 'cwd' | 'times';

/** A rule made ready: patterns are compiled once per document. */
export interface ReadyRule {
  readonly rule: PolicyRule;
  readonly paths: readonly { readonly glob: PathGlob; readonly folded: PathGlob; readonly roles: readonly string[] }[];
  readonly hosts: readonly string[];
}

export function ready(rule: PolicyRule): ReadyRule {
  const paths = rule.match.paths.flatMap(({ glob: text, roles }) => {
    const glob = pathGlob(text);
    const folded = pathGlob(fold(text));
    return glob && folded ? [{ glob, folded, roles }] : [];
  });
  return { rule, paths, hosts: rule.match.hosts.map((host) => host.toLowerCase()) };
}

/** Whether who asks, where and when fits. Conditions in `untold` are taken as fitting. */
export function fitsCircumstances(
  { rule: { match } }: ReadyRule,
  { workspace, requester, sessionId, mode, cwd, at }: Circumstances,
  untold: ReadonlySet<Condition>,
): boolean {
  const has = (condition: Condition, wanted: readonly string[], given: readonly (string | null)[]): boolean =>
    wanted.length === 0 || untold.has(condition) || given.some((one) => one !== null && wanted.includes(one));
  return (
    match.connectorActions.length === 0 &&
    has('workspaces', match.workspaces, [workspace.id, workspace.name]) &&
    (match.principals.length === 0 || untold.has('principals') || isNamedAmong(match.principals, requester)) &&
    has('kinds', match.kinds, [requester.kind]) &&
    has('roles', match.roles, requester.roles) &&
    has('sessions', match.sessions, [sessionId]) &&
    has('modes', match.modes, [mode]) &&
    (match.cwd === null ||
      untold.has('cwd') ||
      below(workspace.root, cwd)?.join('/') ===
        segmentsOf(match.cwd)
          .filter((part) => part !== '.')
          .join('/')) &&
    (match.times.length === 0 || untold.has('times') || match.times.some((window) => isWithin(window, at)))
  );
}

/** Names of people differ by more than letters and forms of letters, and only rules that ask or deny go by names. */
function isNamedAmong(wanted: readonly string[], { id, name, personId }: Circumstances['requester']): boolean {
  return wanted.some((one) => one === id || one === personId || nameKey(one) === nameKey(name));
}

export function fitsRisk({ rule: { match } }: ReadyRule, risk: Risk): boolean {
  return match.risks.length === 0 || match.risks.includes(risk);
}

/**
 * Whether a rule that asks, denies or limits concerns this stage: one thing of each kind that it names is enough, in
 * any spelling, and also behind a wrapper or below a folder that the command goes through.
 */
export function concerns({ rule: { match }, paths, hosts }: ReadyRule, { stage, facts, findings }: JudgedStage, root: string): boolean {
  return (
    (match.tools.length === 0 ||
      namesOf(facts).some(({ tool, subcommand }) => isNamed(match.tools, match.subcommands, tool, subcommand))) &&
    (match.argv === null || isSameArgv(match.argv, stage.argv) || facts.wrapped.some((inner) => isSameArgv(match.argv ?? [], inner))) &&
    (match.effects.length === 0 || match.effects.some((effect) => facts.effects.includes(effect))) &&
    (match.findings.length === 0 || match.findings.some((finding) => findings.includes(finding))) &&
    (hosts.length === 0 || facts.hosts.some((host) => isHost(hosts, host))) &&
    (paths.length === 0 || facts.touches.some((touch) => touches(paths, touch, root)) || walksInto(paths, facts, root))
  );
}

/**
 * Whether an allow speaks of all that this stage does: the one tool that it runs, found where tools are, every effect,
 * every path and every host.
 */
export function covers({ rule: { match }, paths, hosts }: ReadyRule, { stage, facts, findings }: JudgedStage, root: string): boolean {
  const heavy = weighty(findings);
  if (match.argv !== null && !(isSameArgv(match.argv, stage.argv) && stage.redirects.length === 0)) return false;
  if (match.argv === null && !isOwnTool(match.tools, match.subcommands, stage, facts)) return false;
  if (match.effects.length > 0 && !facts.effects.every((effect) => match.effects.includes(effect))) return false;
  if (match.findings.length > 0 && !heavy.every((finding) => match.findings.includes(finding))) return false;
  if (hosts.length === 0 ? heavy.some((finding) => NEEDS_HOST.has(finding)) : !allHosts(hosts, facts)) return false;
  const writesElsewhere =
    match.argv === null && (stage.redirects.some(({ stream }) => stream !== 'stdin') || heavy.some((finding) => NEEDS_PATH.has(finding)));
  return paths.length === 0 ? !writesElsewhere : allPaths(paths, facts, root);
}

/** The stage's command and all that it wraps, by tool and subcommand. Facts of older plans know the outermost only. */
function namesOf({ commands, tool, subcommand }: StageFacts): readonly { readonly tool: string; readonly subcommand: string | null }[] {
  return commands ?? [{ tool, subcommand }];
}

function isNamed(tools: readonly string[], subcommands: readonly string[], tool: string, subcommand: string | null): boolean {
  const name = tool.slice(tool.lastIndexOf('/') + 1);
  if (!tools.some((pattern) => matchesName(pattern, name))) return false;
  if (subcommands.length === 0) return true;
  const given = subcommand?.split(' ') ?? [];
  return subcommands.some((wanted) => {
    const parts = wanted.split(' ').filter((part) => part !== '');
    return parts.length <= given.length && parts.every((part, at) => isSameSubcommand(name, given[at] ?? '', part));
  });
}

/** The only command of the stage is this tool of the machine, by its plain name; wrappers that change nothing do not count. */
function isOwnTool(
  tools: readonly string[],
  subcommands: readonly string[],
  stage: Stage,
  { commands = [], wrapped }: StageFacts,
): boolean {
  const own = commands.filter(({ through }) => through !== true);
  const [only] = own;
  if (own.length !== 1 || !only || only.short === true) return false;
  if ([stage.argv, ...wrapped].some(([program = '']) => program.includes('/'))) return false;
  if (!tools.some((pattern) => matchesName(pattern, only.tool))) return false;
  return subcommands.length === 0 || (only.subcommand !== null && subcommands.includes(only.subcommand));
}

function isSameArgv(wanted: readonly string[], given: readonly string[]): boolean {
  return wanted.length === given.length && wanted.every((word, at) => word === given[at]);
}

function isHost(patterns: readonly string[], host: string): boolean {
  const full = host.toLowerCase();
  const bare = full.replace(/:\d+$/, '').replace(/\.$/, '');
  return patterns.some(
    (pattern) =>
      pattern === full ||
      pattern === bare ||
      (pattern.startsWith('*.') && bare.endsWith(pattern.slice(1)) && bare.length > pattern.length - 1),
  );
}

function allHosts(patterns: readonly string[], { hosts }: StageFacts): boolean {
  return hosts.length > 0 && hosts.every((host) => isHost(patterns, host));
}

/** Hosts that a limit leaves open. Also used where no rule is at hand. */
export function staysWithin(patterns: readonly string[], facts: StageFacts): boolean {
  return (
    !facts.effects.includes('network') ||
    allHosts(
      patterns.map((pattern) => pattern.toLowerCase()),
      facts,
    )
  );
}

type ReadyPaths = ReadyRule['paths'];

/** Letters count as equal in either case and composition: on some machines they are. What is written or deleted counts with all that may lie below. */
function touches(paths: ReadyPaths, { kind, target, role }: Touch, root: string): boolean {
  const path = kind === 'path' ? below(root, target)?.map(fold) : undefined;
  if (path === undefined) return false;
  const isDeep = role === 'write' || role === 'delete';
  const fits = (glob: PathGlob): boolean => matchesPath(glob, path) || (isDeep && reachesBelow(glob, path));
  return paths.some(({ folded, roles }) => (roles.length === 0 || roles.includes(role)) && fits(folded));
}

/** A folder that the tool goes through by itself counts with all that may lie below. */
function walksInto(paths: ReadyPaths, { walks = [] }: StageFacts, root: string): boolean {
  return walks.some((folder) => {
    const path = below(root, folder)?.map(fold);
    return (
      path !== undefined && paths.some(({ folded, roles }) => (roles.length === 0 || roles.includes('read')) && reachesBelow(folded, path))
    );
  });
}

/** Paths say nothing about what project code does, so a rule with paths never covers it. */
function allPaths(paths: ReadyPaths, { touches: all, effects }: StageFacts, root: string): boolean {
  const named = all.filter(({ kind, role }) => kind === 'path' && role !== 'cwd');
  const runsCode: readonly Effect[] = ['execute_project_code', 'execute_inline'];
  if (named.length === 0 || runsCode.some((effect) => effects.includes(effect))) return false;
  return named.every(({ target, role }) => {
    const path = below(root, target);
    return path !== undefined && paths.some(({ glob, roles }) => (roles.length === 0 || roles.includes(role)) && matchesPath(glob, path));
  });
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function below(root: string, path: string): readonly string[] | undefined {
  return isInside(root, path) ? segmentsOf(path.slice(root === '/' ? 0 : root.length)) : undefined;
}
