import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { HotStreams } from '#platform';
import type { OutputChunk, Plan, Run, Snapshot } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { modernOverStdio } from '../support/mcp-clients.js';
import { cli } from '../support/server.mjs';
import { approvedPlan, callTool, readFrames, refOf, until, type Answer } from '../support/terminal.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(90_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;

beforeAll(async () => {
  api = await boot({ env: { MAX_CONCURRENT_SESSIONS: '100' } });
  agent = await api.mcp();
  owner = await api.owner();
});
afterAll(() => api.close());

const call = (name: string, args: Record<string, unknown>) => callTool(agent, name, args);
const script = (name: string, body: string) => writeFileSync(join(api.workspace, name), `#!/usr/bin/env bash\n${body}\n`, { mode: 0o755 });

/** Plans in a session of its own, has it approved, and starts it over REST, so that nobody waits for it. */
async function start(argv: readonly string[], more: Record<string, unknown> = {}): Promise<{ plan: Answer; run: Run }> {
  const { session_id } = await call('terminal_open_session', {});
  const plan = await approvedPlan(api, agent, argv, { session_id, ...more });
  const response = await api.fetch(`/api/plans/${String(plan['plan_id'])}/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(200);
  return { plan, run: (await response.json()) as Run };
}
const stream = (id: string, headers: Record<string, string> = {}, token = api.agentToken) =>
  api.fetch(`/api/runs/${id}/stream`, { headers: { authorization: `Bearer ${token}`, ...headers } });
const runNow = async (id: string) => (await owner.get(`/api/runs/${id}`)) as Run;
const ended = (id: string) => until(async () => ((await runNow(id)).status === 'ended' ? await runNow(id) : undefined), 60_000);

describe('streams', () => {
  verifies('run:stream', async () => {
    script('lines.sh', 'for i in 1 2 3 4 5 6; do echo "line $i"; sleep 0.15; done; printf "e\\xe2\\x89"; sleep 0.2; printf "\\xa4\\n"');
    const { run } = await start(['./lines.sh']);
    const whole = await readFrames(await stream(run.id));
    expect(whole.map(({ id }) => id)).toEqual(whole.map((_, index) => index + 1));
    expect(whole.filter(({ frame }) => frame.type === 'ended')).toHaveLength(1);
    expect(whole.at(-1)?.frame).toMatchObject({ type: 'ended', outcome: 'succeeded' });
    const text = whole.map(({ frame }) => (frame.type === 'output' ? frame.text : '')).join('');
    expect(text).toBe('line 1\nline 2\nline 3\nline 4\nline 5\nline 6\ne≤\n');
    for (const cut of [1, 2, whole.length - 1]) {
      const rest = await readFrames(await stream(run.id, { 'last-event-id': String(cut) }));
      expect(rest).toEqual(whole.slice(cut));
    }
  });

  verifies('run:stream', 'a viewer that leaves is gone from memory, one that comes late misses nothing', async () => {
    script('slow.sh', 'for i in 1 2 3 4 5 6 7 8; do echo "tick $i"; sleep 0.25; done');
    const { run } = await start(['./slow.sh']);
    const before = api.app.get(HotStreams, { strict: false }).size;
    const early = await readFrames(await stream(run.id), 2);
    const resumed = readFrames(await stream(run.id, { 'last-event-id': String(early.at(-1)?.id) }));
    const late = readFrames(await stream(run.id));
    expect([...early, ...(await resumed)]).toEqual(await late);
    await until(() => (api.app.get(HotStreams, { strict: false }).size <= before ? true : undefined));
    const bad = await stream(run.id, { 'last-event-id': 'x' });
    expect([bad.status, ((await bad.json()) as Answer).error?.code]).toEqual([400, 'CURSOR_INVALID']);
  });

  verifies('run:isolated', async () => {
    const { plan, run } = await start(['ls']);
    const { secret } = (await owner.post('/api/tokens', { name: 'other' })) as { secret: string };
    expect((await stream(run.id, {}, secret)).status).toBe(404);
    const other = await api.mcp({ token: secret });
    expect(await callTool(other, 'terminal_output', refOf(plan))).toMatchObject({ error: { code: 'PLAN_NOT_FOUND' } });
    await ended(run.id);
  });
});

describe('a run of another process on the same data', () => {
  verifies('run:stream', 'it is followed and ended from here', async () => {
    script('beside.sh', 'for i in 1 2 3 4; do echo "beside $i"; sleep 0.2; done; sleep 70');
    const { PATH = '', DATABASE_URL = '' } = process.env;
    const env = { PATH, DATABASE_URL, COUNTERSIGN_DATA: api.dataDir, LOG_LEVEL: 'error', PUBLIC_URL: api.url };
    const local = await modernOverStdio({ command: process.execPath, args: [cli, 'stdio'], env });
    const plan = await approvedPlan(api, local, ['./beside.sh']);
    const running = callTool(local, 'terminal_execute', refOf(plan));
    const runId = await until(async () => ((await owner.get(`/api/plans/${String(plan['plan_id'])}`)) as Plan).runId ?? undefined);
    const followed = readFrames(await owner.request('GET', `/api/runs/${runId}/stream`));
    await until(async () => {
      const { items } = (await owner.get(`/api/runs/${runId}/output`)) as { items: OutputChunk[] };
      return items.some(({ text }) => text.includes('beside 4')) ? true : undefined;
    });
    expect(await owner.post(`/api/runs/${runId}/pause`)).toMatchObject({ status: 'paused' });
    expect(await owner.post(`/api/runs/${runId}/cancel`)).toMatchObject({ status: 'ended', outcome: 'cancelled' });
    const frames = await followed;
    expect(frames.map(({ id }) => id)).toEqual(frames.map((_, index) => index + 1));
    expect(frames.map(({ frame }) => (frame.type === 'output' ? frame.text : '')).join('')).toBe(
      'beside 1\nbeside 2\nbeside 3\nbeside 4\n',
    );
    expect(frames.at(-1)?.frame).toMatchObject({ type: 'ended', outcome: 'cancelled' });
    expect(await running).toMatchObject({ receipt: { status: 'cancelled' }, evidence: { requester: { kind: 'local', channel: 'stdio' } } });
    await local.close();
  });
});

describe('steering', () => {
  verifies('run:steer', async () => {
    const mark = `3${String(Date.now()).slice(-6)}`;
    const { plan, run } = await start(['sleep', mark]);
    await until(async () => ((await runNow(run.id)).status === 'running' ? true : undefined));
    expect(await call('terminal_pause', refOf(plan))).toMatchObject({ status: 'paused' });
    expect(await call('terminal_resume', refOf(plan))).toMatchObject({ status: 'running' });
    expect(await call('terminal_pause', refOf(plan))).toMatchObject({ status: 'paused' });
    expect(await call('terminal_cancel', refOf(plan))).toMatchObject({ status: 'cancelled', run_id: run.id });
    const finished = await call('terminal_wait', refOf(plan));
    expect(finished).toMatchObject({
      receipt: { status: 'cancelled' },
      evidence: { outcome: 'cancelled', details: { ended_by: 'caller' }, survivors: [] },
    });
    expect(await call('terminal_cancel', refOf(plan))).toMatchObject({ error: { code: 'RUN_ENDED' } });
  });

  verifies('run:mutual-exclusion', async () => {
    const { plan, run } = await start(['sleep', '60']);
    const second = await approvedPlan(api, agent, ['ls'], { session_id: plan['session_id'] });
    expect(await call('terminal_execute', refOf(second))).toMatchObject({ error: { code: 'SESSION_BUSY', details: { runId: run.id } } });
    const { items } = (await owner.get('/api/runs?active=true')) as Snapshot<Run>;
    expect(items.map(({ id }) => id)).toContain(run.id);
    await owner.post(`/api/runs/${run.id}/cancel`);
    expect(await call('terminal_execute', refOf(second))).toMatchObject({ receipt: { status: 'succeeded' } });
  });

  verifies('run:close-cancels-own', async () => {
    const { run: untouched } = await start(['sleep', '61']);
    const { session_id } = await call('terminal_open_session', {});
    const plan = await approvedPlan(api, agent, ['sleep', '62'], { session_id });
    const leaving = new AbortController();
    const running = callTool(agent, 'terminal_execute', refOf(plan), leaving.signal).catch(() => 'left');
    const runId = await until(async () => {
      const { runId: id } = (await owner.get(`/api/plans/${String(plan['plan_id'])}`)) as { runId: string | null };
      return id ?? undefined;
    });
    const watching = new AbortController();
    const watcher = callTool(agent, 'terminal_wait', refOf(plan), watching.signal).catch(() => 'left');
    watching.abort();
    await watcher;
    expect((await runNow(runId)).status).not.toBe('ended'); // a wait that ends decides nothing
    leaving.abort();
    await running;
    const run = await ended(runId);
    expect(run.outcome).toBe('cancelled');
    expect(await call('terminal_wait', refOf(plan))).toMatchObject({ evidence: { details: { ended_by: 'request_closed' } } });
    expect((await runNow(untouched.id)).status).not.toBe('ended');
    await owner.post(`/api/runs/${untouched.id}/cancel`);
  });

  it('answers running when the time of a wait is over, and the receipt when the run is', async () => {
    const { plan } = await start(['sleep', '1']);
    expect(await call('terminal_wait', { ...refOf(plan), wait_ms: 100 })).toMatchObject({ status: 'running' });
    expect(await call('terminal_wait', refOf(plan))).toMatchObject({ receipt: { status: 'succeeded' } });
  });

  it('ends what takes too long, and says which limit it was', async () => {
    const plan = await approvedPlan(api, agent, ['sleep', '63'], { limits: { timeout_ms: 500 } });
    expect(await call('terminal_execute', refOf(plan))).toMatchObject({
      receipt: { status: 'timed_out' },
      evidence: { limit_hit: 'time' },
    });
  });
});

it('a repository cannot run programs of its own through a reading git', async () => {
  const repo = join(api.workspace, 'repo');
  const mark = join(repo, 'MARK');
  mkdirSync(repo);
  execFileSync('git', ['init', '-q', repo]);
  writeFileSync(join(repo, '.gitconfig'), `[core]\n\tfsmonitor = touch ${mark}\n`);
  writeFileSync(join(api.workspace, '.gitconfig'), `[core]\n\tfsmonitor = touch ${mark}\n`);
  const plan = await approvedPlan(api, agent, ['git', 'status'], { cwd: 'repo' });
  expect(await call('terminal_execute', refOf(plan))).toMatchObject({ receipt: { status: 'succeeded' } });
  expect(existsSync(mark)).toBe(false);
});

describe('output', () => {
  verifies('run:bounded', 'endless output', async () => {
    const before = process.memoryUsage().rss;
    const plan = await approvedPlan(api, agent, ['yes'], { limits: { timeout_ms: 20_000 } });
    const finished = await call('terminal_execute', refOf(plan));
    expect(finished).toMatchObject({ receipt: { output_truncated: true }, evidence: { stdout: { kept: expect.any(Number) as number } } });
    expect(String((finished['receipt'] as Answer)['stdout']).length).toBeLessThan(1_100_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
  });

  verifies('run:bounded', 'invalid text and a child that keeps the output open', async () => {
    script('odd.sh', 'printf "a\\xffb\\n"; (sleep 30 &) ; echo done');
    const { plan } = await start(['./odd.sh']);
    const finished = await call('terminal_wait', refOf(plan));
    expect(finished).toMatchObject({
      receipt: { status: 'succeeded', stdout: 'a\ufffdb\ndone\n' },
      evidence: { stdout: { invalidUtf8: 1 } },
    });
  });

  it('is read in pieces by number, over MCP and REST alike', async () => {
    script('two.sh', 'echo out; sleep 0.3; echo err >&2');
    const { plan, run } = await start(['./two.sh']);
    await ended(run.id);
    const first = await call('terminal_output', { ...refOf(plan), limit: 1 });
    expect(first).toMatchObject({ chunks: [{ seq: 1, stream: 'stdout', text: 'out\n' }], next: 1, ended: false });
    const second = await call('terminal_output', { ...refOf(plan), after: first['next'] });
    expect(second).toMatchObject({ chunks: [{ seq: 2, stream: 'stderr', text: 'err\n' }], ended: true });
    expect(await owner.get(`/api/runs/${run.id}/output?after=1`)).toMatchObject({ items: [{ seq: 2, text: 'err\n' }], ended: true });
  });

  it('holds no secret, and the private home is empty', async () => {
    script('leak.sh', 'echo "token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"; ls -A "$HOME" | wc -l; env | grep -c COUNTERSIGN');
    const { plan, run } = await start(['./leak.sh']);
    const finished = await call('terminal_wait', refOf(plan));
    expect(JSON.stringify(finished)).not.toContain('ghp_0123456789');
    expect((finished['receipt'] as Answer)['stdout']).toMatch(/\n0\n0\n$/);
    expect(JSON.stringify(await owner.get(`/api/runs/${run.id}/output`))).not.toContain('ghp_0123456789');
  });
});
