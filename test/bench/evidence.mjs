// What evidence costs: signing and appending, verifying, proving and searching in a ledger of a million receipts, and two
// processes that write ten thousand at once. Also runs by itself: `node test/bench/evidence.mjs`.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { checkFile } from '../../dist/server/libs/receipts/src/core/check-file.js';
import { HERE } from '../../dist/server/libs/receipts/src/core/ed25519.js';
import { Heads } from '../../dist/server/libs/receipts/src/core/heads.js';
import { appendLeaf, nodeNumber } from '../../dist/server/libs/receipts/src/core/merkle.js';
import { settle } from '../../dist/server/libs/receipts/src/core/steps.js';
import { Ledger } from '../../dist/server/libs/receipts/src/ledger.js';
import { ReceiptKeys } from '../../dist/server/libs/receipts/src/receipt-keys.js';
import { openLedger, sampleDraft } from '../support/ledger-writer.mjs';
import { temporaryFolder } from '../support/server.mjs';
import { percentile } from './measure.mjs';

const MILLION = 1_000_000;
const WRITER = join(fileURLToPath(import.meta.url), '../../support/ledger-writer.mjs');
const READER = {
  id: 'bench',
  kind: 'person',
  name: 'bench',
  roles: ['viewer'],
  scopes: ['receipts:read'],
  channel: 'console',
  expiresAt: 0,
};
const fixed = (value, digits = 2) => value.toFixed(digits);
const median = (values) => percentile(values, 0.5);

async function timed(count, work) {
  const times = [];
  for (let turn = 0; turn < count; turn += 1) {
    const startedAt = performance.now();
    await work(turn);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** A receipt beside a bare durable row, turn by turn, so that a slow disk hits both. */
async function writing(report, folder) {
  const ledger = await openLedger({ COUNTERSIGN_DATA: join(folder, 'writing'), LOG_LEVEL: 'error' });
  const bare = new DatabaseSync(join(folder, 'bare.db'));
  bare.exec('pragma journal_mode = wal; pragma synchronous = full; create table rows (id text primary key, body text)');
  const insert = bare.prepare('insert into rows values (?, ?)');
  const body = 'x'.repeat(900);
  const files = [];
  const own = [];
  const base = [];
  for (let turn = 0; turn < 600; turn += 1) {
    const draft = sampleDraft(turn);
    const startedAt = performance.now();
    const { evidence } = await ledger.write(draft);
    const between = performance.now();
    insert.run(String(turn), body);
    if (turn >= 100) {
      own.push(between - startedAt);
      base.push(performance.now() - between);
    }
    files.push(evidence.id);
  }
  bare.close();
  const above = median(own) - median(base);
  const parts = `${fixed(above)} ms (${fixed(median(own))} − ${fixed(median(base))})`;
  report('sign and append above a bare durable row, p50', parts, 'target ≤ 0.60 ms', above <= 0.6);
  const keys = ledger.app.get(ReceiptKeys).publicKeys;
  const whole = [];
  for (const id of files.slice(0, 400)) whole.push(await ledger.receipts.find(id));
  await ledger.close();
  const heads = new Heads();
  const once = () => {
    for (const file of whole) {
      if (settle(checkFile(file, { keys }, heads), HERE).some(({ ok }) => ok === false)) throw new Error('A receipt does not verify');
    }
  };
  once();
  const cpu = process.cpuUsage();
  for (let round = 0; round < 5; round += 1) once();
  const { user, system } = process.cpuUsage(cpu);
  const rate = (whole.length * 5) / ((user + system) / 1e6);
  report('receipts verified per second of one core', fixed(rate, 0), 'target ≥ 5000', rate >= 5_000);
}

const TOOLS = ['git', 'npm', 'cat', 'rg', 'ls', 'sed', 'node', 'python3', 'tar', 'make'];
const WORDS = ['status', 'test', 'src/app/main.ts', 'pattern lib/core', '-la packages/web', 'README.md', 'build --watch', 'tools/gen.py'];

/** A ledger of a million, written past the product: leaves are random, everything around them is as the product writes it. */
async function fill(folder, count) {
  const env = { COUNTERSIGN_DATA: folder, LOG_LEVEL: 'error' };
  const ledger = await openLedger(env);
  await ledger.write(sampleDraft());
  await ledger.close();
  const db = new DatabaseSync(join(folder, 'countersign.db'));
  db.exec('pragma journal_mode = wal; pragma synchronous = off');
  const first = db.prepare('select * from receipts').get();
  const columns = Object.keys(first);
  const insert = db.prepare(`insert into receipts (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`);
  const index = db.prepare('insert into receipt_search (rowid, grams) values (?, ?)');
  const node = db.prepare('insert into ledger_nodes (number, hash) values (?, ?)');
  let edge = JSON.parse(db.prepare('select edge from ledger_head').get().edge);
  const owners = Array.from({ length: 50 }, (_, at) => `owner-${at}`);
  const workspaces = Array.from({ length: 40 }, (_, at) => `workspace-${at}`);
  index.run(0, first.search);
  for (let place = 1; place < count; place += 1) {
    if (place % 10_000 === 1) db.exec('begin');
    const leaf = createHash('sha256').update(String(place)).digest('hex');
    const next = appendLeaf(place, edge, leaf);
    edge = next.edge;
    for (const each of next.nodes) node.run(nodeNumber(each), each.hash);
    const tool = TOOLS[(place * 7) % TOOLS.length];
    const command = `${tool} ${WORDS[(place * 13) % WORDS.length]} ${(place * 7_919) % 1_000_003}`;
    const search = `run succeeded, exit code 0: ${command}\n${command}\nbuild bot\n${workspaces[place % 40]}`;
    const summary = JSON.stringify({ ...JSON.parse(first.summary), index: place, command, summary: `Run succeeded: ${command}` });
    const row = {
      ...first,
      place,
      id: `${place.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`,
      leaf_hash: leaf,
      owner: owners[place % 50],
      plan_id: null,
      kind: place % 20 === 0 ? 'decision' : 'run',
      outcome: place % 9 === 0 ? 'failed' : 'succeeded',
      at: first.at + place * 1_000,
      summary,
      search,
      seed: randomBytes(32).toString('hex'),
      payload: 'x'.repeat(400),
      evidence: 'x'.repeat(800),
      receipt: 'x'.repeat(800),
      workspace_id: workspaces[place % 40],
      tool,
      verdict: place % 5 === 0 ? 'ask' : 'allow',
    };
    insert.run(...columns.map((name) => row[name]));
    index.run(place, search);
    if (place % 10_000 === 0 || place === count - 1) db.exec('commit');
  }
  db.prepare('update ledger_head set size = ?, edge = ?, at = ?').run(count, JSON.stringify(edge), first.at + count * 1_000);
  db.prepare('update receipt_index set next = ?').run(count);
  db.close();
  return { env, at: first.at };
}

async function million(report, folder) {
  const count = Number(process.env.BENCH_RECEIPTS ?? MILLION);
  const startedAt = performance.now();
  const { env, at } = await fill(join(folder, 'million'), count);
  report(`  a ledger of ${count} receipts is filled`, `${fixed((performance.now() - startedAt) / 1_000, 0)} s`, '');
  const ledger = await openLedger(env);
  const log = ledger.app.get(Ledger);
  await log.checkpoint();
  const proving = await timed(200, (turn) => log.prove((turn * 4_999) % count));
  report('proof in a ledger of a million, p50', `${fixed(median(proving))} ms`, 'target ≤ 5 ms', median(proving) <= 5);
  report('  p99', `${fixed(percentile(proving, 0.99))} ms`, '');
  const consistency = await timed(50, (turn) => log.consistency((turn * 19_997) % count));
  report('consistency proof in a million, p50', `${fixed(median(consistency))} ms`, 'target ≤ 5 ms', median(consistency) <= 5);
  const questions = {
    'no filter': {},
    'one tool': { tool: 'tar' },
    'principal and outcome': { owner: 'owner-7', outcome: 'failed' },
    'workspace, verdict, kind': { workspaceId: 'workspace-20', verdict: 'ask', kind: 'decision' },
    'a stretch of time': { from: at + (count / 4) * 1_000, to: at + (count / 4 + 5_000) * 1_000, outcome: 'failed' },
    'common words': { q: 'git status' },
    'a rare word': { q: String((123_456 * 7_919) % 1_000_003) },
    'a word that is nowhere': { q: 'zzzqqq' },
    'words and a filter': { q: 'main.ts', workspaceId: 'workspace-10', outcome: 'failed' },
    'two letters': { q: 'ls' },
  };
  for (const [name, wanted] of Object.entries(questions)) {
    const p50 = median(await timed(15, () => ledger.receipts.page({ principal: READER, ...wanted })));
    report(`search in a million: ${name}, p50`, `${fixed(p50)} ms`, 'target ≤ 50 ms', p50 <= 50);
  }
  // The whole ledger has to be gone through to know that nothing fits.
  const nowhere = await timed(5, () =>
    ledger.receipts.page({ principal: READER, q: 'main.ts', workspaceId: 'workspace-3', outcome: 'failed' }),
  );
  report('  words and filters that never meet, p50', `${fixed(median(nowhere))} ms`, '');
  const week = { from: at, to: at + 7 * 86_400_000, stepMs: 3_600_000, by: 'outcome' };
  report('  counts of a week by hour and outcome', `${fixed(median(await timed(5, () => ledger.receipts.counts(READER, week))))} ms`, '');
  const appending = await timed(100, (turn) => ledger.write(sampleDraft(turn)));
  report('  sign and append to a million, p50', `${fixed(median(appending))} ms`, '');
  await ledger.close();
}

function writer(count, env) {
  const child = spawn(process.execPath, [WRITER, String(count)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => child.on('close', (code) => (code === 0 ? resolve() : reject(new Error('A writer failed')))));
}

async function together(report, name, env) {
  const count = Number(process.env.BENCH_WRITES ?? 10_000);
  const startedAt = performance.now();
  await Promise.all([writer(count / 2, env), writer(count / 2, env)]);
  const seconds = (performance.now() - startedAt) / 1_000;
  const ledger = await openLedger(env);
  const { entries, problems } = await ledger.check.all();
  await ledger.close();
  const isOne = entries === count && problems.length === 0;
  report(`two processes write ${count} receipts, ${name}`, `${entries} in ${fixed(seconds, 1)} s, one log`, 'all proofs valid', isOne);
}

async function onPostgres(report) {
  const { startPostgres } = await import('../support/postgres.mjs');
  const server = await startPostgres();
  const folder = temporaryFolder('countersign-bench-');
  try {
    await together(report, 'PostgreSQL', { DATABASE_URL: server.url, COUNTERSIGN_DATA: folder, LOG_LEVEL: 'error' });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureEvidence(report, folder) {
  await writing(report, folder);
  await together(report, 'one SQLite file', { COUNTERSIGN_DATA: join(folder, 'together'), LOG_LEVEL: 'error' });
  await onPostgres(report);
  await million(report, folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = temporaryFolder('countersign-bench-');
  const report = (name, value, target, isMet) =>
    console.log(`${isMet === undefined ? '     ' : isMet ? 'ok   ' : 'OVER '} ${name.padEnd(58)} ${value.padEnd(34)} ${target}`);
  try {
    await measureEvidence(report, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
