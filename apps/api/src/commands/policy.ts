import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MODES, type Decision, type Mode } from '#contracts';
import { BASE_POLICY, checkLines, decideCommand } from '#policy/core';
import { DiskLook } from '#policy';

const USAGE = 'Usage: countersign policy check FILE.jsonl | policy explain [--mode MODE] [--workspace DIR] -- COMMAND…\n';

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

function check([file, ...rest]: readonly string[]): number {
  if (file === undefined || rest.length > 0) return usage();
  const lines = checkLines(readFileSync(file, 'utf8'), new DiskLook());
  process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return 0;
}

/** 0 when the command would run by itself, 1 when it would ask or be denied. */
function explain(args: readonly string[]): number {
  const options = { mode: { type: 'string' }, workspace: { type: 'string' } } as const;
  const { values, positionals: argv } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (argv.length === 0) return usage();
  const mode = values.mode ?? 'confirm';
  if (!isMode(mode)) throw new Error(`--mode takes ${MODES.join(', ')}`);
  const root = realpathSync(resolve(values.workspace ?? '.'));
  const stages = [{ join: 'first', argv, redirects: [] }] as const;
  const question = { root, cwd: root, stages, command: null, mode, env: {}, toolPaths: [], sandbox: 'full' } as const;
  const decision = decideCommand(question, new DiskLook(), BASE_POLICY);
  process.stdout.write(render(decision, mode));
  return decision.outcome === 'allow' ? 0 : 1;
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
