// Holds the built server against the protocol's conformance suite, through a proxy that only adds the token:
// with the fixtures against everything a revision requires, and as shipped against what needs no fixtures.
// Prints one line per scenario and `N passed, M failed` at the end; exits with 1 when anything failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../support/server.mjs';
import { startProxy } from './proxy.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const suite = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

const REVISIONS = ['2026-07-28', '2025-11-25'];

/** Scenarios that say something about a server without fixtures. */
const WITHOUT_FIXTURES = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-session-lifecycle',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
};

/** Checks that need a diagnostic tool, which a shipped server does not have. */
const NEED_DIAGNOSTIC_TOOLS = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
]);

const total = { passed: 0, failed: 0 };

function report(name, problem) {
  total[problem === undefined ? 'passed' : 'failed'] += 1;
  console.log(problem === undefined ? `ok      ${name}` : `FAILED  ${name}\n        ${problem}`);
}

/** Runs the suite's command line and reads what it wrote for each scenario. */
async function runSuite(url, args) {
  const out = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
  try {
    const child = spawn(process.execPath, [suite, 'server', '--url', `${url}/mcp`, '-o', out, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    const code = await new Promise((resolve) => child.on('close', resolve));
    const scenarios = readdirSync(out).map((folder) => ({
      name: /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder,
      checks: JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')),
    }));
    return { code, output, scenarios };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Why a scenario does not hold, or undefined. A scenario in which nothing was checked does not hold either. */
function problemIn(checks, excused = new Set()) {
  const failed = checks.filter(({ status, id }) => status === 'FAILURE' && !excused.has(id));
  if (failed.length > 0) return failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('\n        ');
  return checks.some(({ status }) => status === 'SUCCESS') ? undefined : 'nothing was checked';
}

async function checkRequirements(url, revision) {
  const { code, output, scenarios } = await runSuite(url, ['--requirements', revision]);
  const notScored = new Set([...output.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const required = scenarios.filter(({ name }) => !notScored.has(name));
  for (const { name, checks } of required) report(`${revision} ${name}`, problemIn(checks));
  report(`${revision} conforms`, code === 0 && required.length > 0 ? undefined : `the suite exited with ${code}\n${output.slice(-2_000)}`);
}

async function checkShipped(url, revision, scenario) {
  const { output, scenarios } = await runSuite(url, ['--scenario', scenario, '--spec-version', revision, '--force']);
  const [ran] = scenarios;
  report(`as shipped, ${revision} ${scenario}`, ran ? problemIn(ran.checks, NEED_DIAGNOSTIC_TOOLS) : output.slice(-1_000));
}

/** The product with the fixture module, as a process of its own. */
async function startWithFixtures(publicUrl) {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-fixtures-'));
  const child = spawn(process.execPath, [join(here, 'server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...settings(publicUrl), PORT: '0', COUNTERSIGN_DATA: dataDir },
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let output = '';
  const listening = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const [, port, token] = /^listening (\d+) (\S+)$/m.exec(output) ?? [];
      if (port) resolve({ url: `http://localhost:${port}`, token });
    });
  });
  const gone = ended.then((code) => {
    throw new Error(`The server with fixtures ended with ${code} before it listened.\n${output}`);
  });
  gone.catch(() => undefined); // afterwards an end is wanted
  const server = await Promise.race([listening, gone]);
  return {
    ...server,
    remove: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function settings(publicUrl) {
  return { HOST: 'localhost', PUBLIC_URL: publicUrl, LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
}

async function against(start, check) {
  const proxy = await startProxy();
  const server = await start(proxy.url);
  try {
    proxy.forwardTo(server.url, server.token);
    await check(proxy.url);
  } finally {
    await server.remove();
    await proxy.close();
  }
}

async function shipped(publicUrl) {
  const { port, token, remove } = await startServer({ env: settings(publicUrl) });
  return { url: `http://localhost:${port}`, token, remove };
}

await against(startWithFixtures, async (url) => {
  for (const revision of REVISIONS) await checkRequirements(url, revision);
});
await against(shipped, async (url) => {
  for (const revision of REVISIONS) for (const scenario of WITHOUT_FIXTURES[revision]) await checkShipped(url, revision, scenario);
});
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
