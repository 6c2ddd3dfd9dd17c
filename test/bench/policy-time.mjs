// Time of one policy decision on everyday and on long commands, with a file system that is empty: words alone.
import { BASE_POLICY, decideCommand, NOTHING } from '../../dist/server/libs/policy/src/core/index.js';
import { percentile } from './measure.mjs';

const COMMANDS = [
  ['ls', '-la'],
  ['git', 'log', '--oneline', '-20', '--', 'src'],
  ['rg', '-n', 'a|b', 'src', '--glob', '*.ts'],
  ['git', 'commit', '-m', 'a message of several words'],
  ['npm', 'run', 'build', '--', '--watch'],
  ['find', '.', '-name', '*.ts', '-not', '-path', './node_modules/*', '-newer', 'package.json'],
  ['env', 'A=1', 'timeout', '10', 'nice', '-n', '5', 'grep', '-rn', 'x', 'src'],
  ['tar', '-czf', 'build/site.tgz', '--exclude=node_modules', 'site'],
  ['cat', ...Array.from({ length: 62 }, (_, index) => `src/file-${index}.ts`)],
];

/** Milliseconds at p50 and p99 over many decisions, after a warm-up. */
export function measureDecisions() {
  const questions = COMMANDS.map((argv) => ({
    stages: [{ join: 'first', argv, redirects: [] }],
    command: null,
    cwd: '/srv/project',
    root: '/srv/project',
    mode: 'confirm',
    env: {},
    toolPaths: [],
    sandbox: 'full',
  }));
  const times = [];
  for (let round = 0; round < 3_000; round += 1) {
    for (const question of questions) {
      const from = performance.now();
      decideCommand(question, NOTHING, BASE_POLICY);
      if (round >= 1_000) times.push(performance.now() - from);
    }
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
