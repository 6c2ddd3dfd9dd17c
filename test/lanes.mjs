// Runs every check and test lane, fastest first, and ends with one plain line over all of them.
// `node scripts/bootstrap.mjs check` runs only the checks of the source; name lanes to run just those.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './support/chromium.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const results = join(root, 'test-results');
const isCi = process.env.CI === 'true';

const bin = (path) => join('node_modules', path);
const jest = (project) => ({ jest: project });

/** In order. `needs` names a real component that may be missing on this machine; without it the lane is skipped, and fails under CI=true. */
const LANES = [
  { name: 'types', check: true, node: [bin('typescript/bin/tsc'), '-p', 'tsconfig.json', '--noEmit'] },
  {
    name: 'types-web',
    check: true,
    node: [bin('@angular/compiler-cli/bundles/src/bin/ngc.js'), '-p', 'apps/web/tsconfig.spec.json', '--noEmit'],
  },
  { name: 'format', check: true, node: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'] },
  { name: 'lint', check: true, node: [bin('eslint/bin/eslint.js'), '.', '--max-warnings=0'] },
  {
    name: 'layers',
    check: true,
    node: [bin('dependency-cruiser/bin/dependency-cruiser.mjs'), '--config', '.dependency-cruiser.mjs', 'apps', 'libs', 'test'],
  },
  { name: 'unused', check: true, node: [bin('knip/bin/knip.js')] },
  { name: 'build', node: ['scripts/bootstrap.mjs', 'build'] },
  { name: 'architecture', ...jest('architecture') },
  { name: 'unit', ...jest('unit') },
  { name: 'web-unit', ...jest('web') },
  { name: 'e2e', ...jest('e2e') },
  { name: 'conformance', node: ['test/conformance/run.mjs'], counts: true },
  {
    name: 'browser',
    node: ['test/web/run.mjs'],
    counts: true,
    needs: { what: 'Chromium (Debian package chromium, or CHROMIUM=/path)', found: () => findChromium() !== undefined },
  },
  { name: 'demo', node: ['test/demo/demo.mjs'] },
];

async function main(names) {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const chosen = pick(names);
  const usesDatabase = chosen.some((lane) => lane.jest);
  const postgres = usesDatabase ? await startPostgres() : undefined;
  const total = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const lane of chosen) add(total, await runLane(lane));
    if (usesDatabase && postgres === undefined && !process.env.TEST_DATABASE_URL)
      add(total, missing('postgresql', 'a PostgreSQL to test against'));
  } finally {
    await postgres?.stop();
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

function pick(names) {
  if (names.length === 0) return LANES;
  const chosen = names.flatMap((name) =>
    name === 'check' ? LANES.filter(({ check }) => check) : LANES.filter((lane) => lane.name === name),
  );
  if (chosen.length === 0) throw new Error(`No such lane. Known: check, ${LANES.map(({ name }) => name).join(', ')}`);
  return chosen;
}

async function startPostgres() {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const { startPostgres: start } = await import('./support/postgres.mjs');
  try {
    const postgres = await start();
    process.env.TEST_DATABASE_URL = postgres.url;
    return postgres;
  } catch (error) {
    console.error(`No PostgreSQL could be started: ${error.message}`);
    return undefined;
  }
}

async function runLane(lane) {
  if (lane.needs && !lane.needs.found()) return missing(lane.name, lane.needs.what);
  console.log(`\n--- ${lane.name}`);
  const startedAt = Date.now();
  const counts = lane.jest ? await runJest(lane.jest) : await runNode(lane);
  console.log(`--- ${lane.name}: ${counts.failed === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return counts;
}

/** A lane that cannot run here says so loudly; on CI that is a failure. */
function missing(name, what) {
  console.error(`\n!!! ${name}: NOT RUN, this machine has no ${what}${isCi ? '; that fails under CI=true' : ''}`);
  return isCi ? { passed: 0, failed: 1, skipped: 0 } : { passed: 0, failed: 0, skipped: 1 };
}

async function runJest(project) {
  const report = join(results, `jest-${project}.json`);
  const { code } = await run(
    [bin('jest/bin/jest.js'), '--selectProjects', project, '--json', `--outputFile=${report}`, '--silent=false', '--reporters=default'],
    { quietStdout: true },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
  const brokenSuites = numFailedTests === 0 ? numFailedTestSuites : 0;
  const silent = numTotalTests === 0 || (code !== 0 && numFailedTests + brokenSuites === 0) ? 1 : 0;
  return { passed: numPassedTests, failed: numFailedTests + brokenSuites + silent, skipped: numPendingTests };
}

async function runNode({ node, counts }) {
  const { code, output } = await run(node, {});
  if (!counts) return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  const closing = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  const [passed, failed, skipped] = closing ? closing.slice(1).map((figure) => Number(figure ?? 0)) : [0, 0, 0];
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
}

/** Runs Node in the foreground; keeps the output so that counts can be read from it. */
function run(args, { quietStdout = false }) {
  const child = spawn(process.execPath, ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (!quietStdout) process.stdout.write(text.replace(/^(\d+ passed, \d+ failed.*)$/gm, '    $1'));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

function add(total, counts) {
  for (const key of Object.keys(total)) total[key] += counts[key];
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  console.log('\n0 passed, 1 failed');
  process.exitCode = 1;
});
