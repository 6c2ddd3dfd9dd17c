// Does all set-up for every npm script: dependencies, Node.js 24, a fresh build; then runs the named thing. Runs on Node.js 20.
import { spawn, spawnSync } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf, isFresh, markFresh } from './freshness.mjs';
import { ensureNode, PRODUCT_FLAGS, root, runNpm } from './node.mjs';

const SERVER_SOURCES = ['apps/api', 'libs', 'tsconfig.json', 'tsconfig.api.json', 'nest-cli.json', 'package.json', 'package-lock.json'];
const WEB_SOURCES = ['apps/web', 'libs/contracts', 'angular.json', 'tsconfig.json', 'package.json', 'package-lock.json'];

/** What runs once everything is in place. `builds`: what must be fresh first. `script` and `args` are for Node; `cwd` where not the project. */
const COMMANDS = {
  start: { builds: ['server', 'web'], script: 'dist/server/apps/api/src/cli.js', args: ['serve'] },
  cli: { builds: ['server', 'web'], script: 'dist/server/apps/api/src/cli.js', args: [], cwd: process.cwd() },
  verify: { builds: ['server'], script: 'dist/server/apps/api/src/cli.js', args: ['verify'], cwd: process.env.INIT_CWD ?? process.cwd() },
  demo: { builds: ['server', 'web'], script: 'test/demo/demo.mjs', args: [] },
  chaos: { builds: ['server'], script: 'test/chaos/chaos.mjs', args: [] },
  bench: { builds: ['server', 'web'], script: 'test/bench/bench.mjs', args: [] },
  test: { builds: [], script: 'test/lanes.mjs', args: [] },
  check: { builds: [], script: 'test/lanes.mjs', args: ['check'] },
  build: { builds: ['server', 'web'] },
  'build:server': { builds: ['server'] },
  'build:web': { builds: ['web'] },
  jest: { builds: ['server'], script: 'node_modules/jest/bin/jest.js', args: [] },
};

async function main(name, args) {
  const command = COMMANDS[name];
  if (!command) throw new Error(`Unknown command ${name}. Known: ${Object.keys(COMMANDS).join(', ')}`);
  const node = ensureNode();
  installIfStale();
  for (const build of command.builds) BUILDS[build](node);
  if (!command.script) return;
  const flags = command.script.endsWith('/cli.js') ? PRODUCT_FLAGS : [];
  process.exitCode = await run(node, [...flags, join(root, command.script), ...command.args, ...args], command.cwd ?? root);
}

function installIfStale() {
  const digest = digestOf(['package.json', 'package-lock.json']);
  const stamp = 'node_modules/.countersign';
  if (isFresh(stamp, digest)) return;
  console.error('Installing dependencies (about a minute the first time)');
  runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  markFresh(stamp, digest);
}

const BUILDS = {
  server: (node) =>
    buildIfStale(node, 'server', SERVER_SOURCES, [
      ['node_modules/@nestjs/cli/bin/nest.js', 'build', 'api'],
      ['libs/receipts/verifier/build.mjs', 'dist/server'],
    ]),
  web: (node) =>
    buildIfStale(node, 'web', WEB_SOURCES, [['node_modules/@angular/cli/bin/ng.js', 'build', '--no-progress'], ['apps/web/compress.mjs']]),
};

/** `commands` run in order; each is what Node.js is started with. */
function buildIfStale(node, name, sources, commands) {
  const digest = digestOf(sources);
  const stamp = `dist/${name}/.stamp`;
  if (isFresh(stamp, digest)) return;
  console.error(`Building ${name} (only when its sources have changed)`);
  rmSync(join(root, 'dist', name), { recursive: true, force: true });
  for (const args of commands) {
    const { status, stdout, stderr } = spawnSync(node, args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 67_108_864,
      env: environment(node),
    });
    if (status !== 0) throw new Error(`${stdout}${stderr}\nBuilding ${name} failed; the messages above say where.`);
  }
  markFresh(stamp, digest);
}

/** Puts the chosen Node.js first on PATH, so that whatever is started below uses it too. */
function environment(node) {
  return { ...process.env, PATH: `${dirname(node)}:${process.env.PATH ?? ''}`, NG_CLI_ANALYTICS: 'false' };
}

/** Runs in the foreground, passes signals on, and answers with the exit code. */
function run(node, args, cwd) {
  const flags = ['--enable-source-maps', '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const child = spawn(node, [...flags, ...args], { cwd, stdio: 'inherit', env: environment(node) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/** Runs a command for the shell: a failure is one line, without a stack. */
export function runFromShell(name, args) {
  main(name, args).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) runFromShell(process.argv[2] ?? 'start', process.argv.slice(3));
