import { MODES, type Decision, type Mode, type Stage } from '#contracts';
import { decideCommand } from './decide.js';
import { parseCommand } from './command/parse.js';
import { BASE_POLICY } from './base-policy.js';
import type { PathLook } from './path-look.js';
import { lexicalPath, resolvePath } from './paths/resolve.js';
import type { PolicyDocument } from './policy-document.js';
import type { Where } from './question.js';
import { RULES, type RuleId } from './rules.js';

/** One answer of `countersign policy check`. */
export interface CheckedLine {
  readonly id: string | number | null;
  readonly outcome: Decision['outcome'];
  readonly risk: Decision['risk'];
  readonly reasons: readonly string[];
  readonly rules: readonly string[];
}

/** What a document of the team makes of a verdict. */
export type Refine = (base: Decision, stages: readonly Stage[], where: Where & { readonly mode: Mode }) => Decision;

interface Asked {
  readonly id: string | number | null;
  readonly mode: Mode;
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[] | null;
  readonly command: string | null;
}

/**
 * Decides every line of a JSONL text; one answer a line, in order. A line that cannot be read is denied with the
 * reason. Whether a tool is installed plays no part.
 */
export function checkLines(
  text: string,
  look: PathLook,
  policy: PolicyDocument = BASE_POLICY,
  refine: Refine = (decision) => decision,
): readonly CheckedLine[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => checkLine(line, look, policy, refine));
}

function checkLine(line: string, look: PathLook, policy: PolicyDocument, refine: Refine): CheckedLine {
  const asked = readLine(line);
  if (typeof asked === 'string') return refused(idOf(line), 'input.invalid', asked);
  const { id, mode, root, cwd, env, argv, command } = asked;
  const real = resolvePath(look, '/', root, true)?.real ?? root;
  const where = { root: real, cwd: resolvePath(look, real, cwd, true)?.real ?? lexicalPath(real, cwd) };
  let stages: readonly Stage[] = argv === null ? [] : [{ join: 'first', argv, redirects: [] }];
  if (command !== null) {
    const parsed = parseCommand(command, where, look);
    if (!parsed.ok) return refused(id, String(parsed.details['rule']), parsed.message);
    stages = parsed.value;
  }
  const base = decideCommand({ ...where, stages, command, mode, env, toolPaths: [], sandbox: 'full' }, look, policy);
  const decision = refine(base, stages, { ...where, mode });
  const { outcome, risk, reasons, rules } = decision;
  return { id, outcome, risk, reasons, rules };
}

/** What a line asks, or what is wrong with it. */
function readLine(line: string): Asked | string {
  const value = parsed(line);
  if (value === undefined) return 'The line is not JSON.';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'The line is not a JSON object.';
  const row = value as Readonly<Record<string, unknown>>; // an object; every field is checked below
  const { mode = 'inspect', workspace, cwd, argv, command } = row;
  const env = row['env'] ?? row['requested_env'] ?? {};
  if (typeof mode !== 'string' || !(MODES as readonly string[]).includes(mode)) return 'The mode is not inspect, confirm or trusted.';
  if (typeof workspace !== 'string' || !workspace.startsWith('/')) return 'The workspace is not an absolute path.';
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') return 'The working folder is not text.';
  if (!isEnv(env)) return 'The variables are not an object of texts.';
  const hasArgv = argv !== undefined && argv !== null;
  const hasCommand = command !== undefined && command !== null;
  if (hasArgv === hasCommand) return 'The line needs either argv or command.';
  if (hasArgv && !(Array.isArray(argv) && argv.every((word) => typeof word === 'string'))) return 'The argv is not a list of texts.';
  if (hasCommand && typeof command !== 'string') return 'The command is not text.';
  const root = lexicalPath('/', workspace);
  return {
    id: idFrom(row),
    mode: mode as Mode, // checked above
    root,
    cwd: lexicalPath(root, typeof cwd === 'string' ? cwd : root),
    env,
    argv: hasArgv ? argv : null,
    command: hasCommand ? command : null,
  };
}

function isEnv(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((text) => typeof text === 'string')
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined; // the caller says that the line is not JSON
  }
}

function idOf(line: string): string | number | null {
  const value = parsed(line);
  return typeof value === 'object' && value !== null ? idFrom(value as Readonly<Record<string, unknown>>) : null;
}

function idFrom({ id }: Readonly<Record<string, unknown>>): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function refused(id: string | number | null, rule: string, reason: string): CheckedLine {
  return { id, outcome: 'deny', risk: 'blocked', reasons: [reason === '' ? RULES[rule as RuleId].says : reason], rules: [rule] };
}
