import { readFileSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MODES, type Decision, type Mode } from '#contracts';
import { BASE_POLICY, checkExamples, checkLines, decideCommand, readDocument, readyDocument, ruleOn, type Refine } from '#policy/core';
import { DiskLook } from '#policy';

const USAGE =
  'Usage: countersign policy check [--policy FILE.yaml] FILE.jsonl | policy explain [--mode MODE] [--workspace DIR] [--policy FILE.yaml] -- COMMAND…\n';

/** Verdicts without a server: of many commands in a file, or of one with its reasons. */
export function policy(args: readonly string[]): number {
  const [verb, ...rest] = args;
  if (verb === 'check') return check(rest);
  if (verb === 'explain') return explain(rest);
  return usage();
}

function usage(): number {
  process.stderr.write(USAGE);
  return 2;
}

function check(args: readonly string[]): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { policy: { type: 'string' } } });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) return usage();
  const lines = checkLines(readFileSync(file, 'utf8'), new DiskLook(), BASE_POLICY, refineBy(values.policy));
  process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return 0;
}

/** 0 when the command would run by itself, 1 when it would ask or be denied. */
function explain(args: readonly string[]): number {
  const options = { mode: { type: 'string' }, workspace: { type: 'string' }, policy: { type: 'string' } } as const;
  const { values, positionals: argv } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (argv.length === 0) return usage();
  const mode = values.mode ?? 'confirm';
  if (!isMode(mode)) throw new Error(`--mode takes ${MODES.join(', ')}`);
  const root = realpathSync(resolve(values.workspace ?? '.'));
  const stages = [{ join: 'first', argv, redirects: [] }] as const;
  const question = { root, cwd: root, stages, command: null, mode, env: {}, toolPaths: [], sandbox: 'full' } as const;
  const decision = refineBy(values.policy)(decideCommand(question, new DiskLook(), BASE_POLICY), stages, question);
  process.stdout.write(render(decision, mode));
  return decision.outcome === 'allow' ? 0 : 1;
}

/** By a document in a file, as an agent in a workspace that is named like its folder would be judged; without one by the built-in policy. */
function refineBy(file: string | undefined): Refine {
  if (file === undefined) return (decision) => decision;
  const read = readDocument(readFileSync(file, 'utf8'));
  const issues = read.ok ? checkExamples(read.document, read.place).issues : read.issues;
  if (!read.ok || issues.length > 0) {
    throw new Error(
      `${file} cannot be used:\n${issues.map(({ line, column, path, message }) => `  ${line}:${column} ${path} ${message}`).join('\n')}`,
    );
  }
  const document = readyDocument(read.document, file);
  const requester = { id: 'agent', name: 'agent', kind: 'token', roles: [], personId: null } as const;
  return (base, stages, { root, cwd, mode }) =>
    ruleOn(
      base,
      stages,
      { workspace: { id: root, name: basename(root), root }, requester, sessionId: null, mode, cwd, at: Date.now() },
      document,
    );
}

function isMode(text: string): text is Mode {
  return (MODES as readonly string[]).includes(text);
}

function render({ outcome, risk, reasons, rules, stages }: Decision, mode: Mode): string {
  const why = reasons.map((reason, index) => `  ${rules[index] ?? ''}: ${reason}`);
  const touches = stages.flatMap((stage) =>
    stage.touches.map(({ role, target, note }) => `  ${role} ${target}${note === '' ? '' : ` (${note})`}`),
  );
  const facts = stages.map(
    ({ tool, subcommand, effects }) => `  ${[tool, subcommand ?? ''].join(' ').trim()}: ${effects.join(', ') || 'no effect'}`,
  );
  const parts = [
    `${outcome}, risk ${risk}, in mode ${mode}`,
    'Because',
    ...why,
    'Stages',
    ...facts,
    ...(touches.length > 0 ? ['Touches', ...touches] : []),
  ];
  return `${parts.join('\n')}\n`;
}
