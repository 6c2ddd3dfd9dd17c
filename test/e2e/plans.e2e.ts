import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import type { Page, Plan, ReceiptSummary } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { approvedPlan, callTool, decide, refOf, type Answer } from '../support/terminal.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(60_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;

beforeAll(async () => {
  api = await boot();
  agent = await api.mcp();
  owner = await api.owner();
});
afterAll(() => api.close());

const call = (name: string, args: Record<string, unknown>) => callTool(agent, name, args);
const plan = (...argv: string[]) => call('terminal_plan', { argv });
const execute = (answer: Answer) => call('terminal_execute', refOf(answer));
const site = (...path: string[]) => join(api.workspace, ...path);
const rest = async (method: string, path: string, body?: unknown, token = api.agentToken) => {
  const response = await api.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
};

verifies('plan:approval-required', async () => {
  const waiting = await plan('touch', 'a');
  expect(waiting).toMatchObject({
    status: 'awaiting_approval',
    decision: { outcome: 'ask', allowed: true, requires_approval: true },
    argv: ['touch', 'a'],
  });
  expect(await execute(waiting)).toMatchObject({ status: 'pending_approval', ask_id: waiting['ask_id'] });
  expect(await rest('POST', `/api/plans/${String(waiting['plan_id'])}/execute`, {})).toMatchObject({
    status: 409,
    body: { error: { code: 'PLAN_NOT_APPROVED' } },
  });
  expect(await call('terminal_approve', { ...refOf(waiting), digest: waiting['digest'] })).toMatchObject({
    error: { code: 'SCOPE_MISSING' },
  });
  await decide(api, waiting);
  expect(await execute(waiting)).toMatchObject({
    receipt: { status: 'succeeded', approved: true },
    evidence: { approvals: [{ channel: 'console' }] },
  });
  const denied = await plan('touch', 'b');
  await decide(api, denied, 'deny');
  expect(await execute(denied)).toMatchObject({ error: { code: 'PLAN_REJECTED' } });
});

verifies('plan:runs-once', async () => {
  const approved = await approvedPlan(api, agent, ['touch', 'once']);
  const answers = await Promise.all(Array.from({ length: 20 }, () => execute(approved)));
  expect(answers.filter(({ receipt }) => receipt !== undefined)).toHaveLength(1);
  const codes = new Set(answers.flatMap(({ error }) => (error ? [error.code] : [])));
  expect([...codes].filter((code) => !['PLAN_ALREADY_RUNNING', 'PLAN_ALREADY_RUN'].includes(code))).toEqual([]);
  expect(await execute(approved)).toMatchObject({ error: { code: 'PLAN_ALREADY_RUN' } });
  const receipts = (await owner.get('/api/receipts?q=once')) as Page<ReceiptSummary>;
  expect(receipts.items.filter(({ kind }) => kind === 'run')).toHaveLength(1);
});

verifies('plan:approve-what-you-saw', async () => {
  const waiting = await plan('touch', 'c');
  const vote = { answer: 'approve', digest: '0'.repeat(64) };
  const answer = await owner.request('POST', `/api/asks/${String(waiting['ask_id'])}/votes`, vote);
  expect([answer.status, ((await answer.json()) as Answer).error?.code]).toEqual([409, 'ASK_DIGEST_MISMATCH']);
  expect(await owner.get(`/api/plans/${String(waiting['plan_id'])}`)).toMatchObject({ status: 'awaiting_approval' });
});

verifies('plan:one-card', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => plan('touch', 'd')));
  expect(new Set(answers.map(({ plan_id }) => plan_id)).size).toBe(1);
  expect(new Set(answers.map(({ ask_id }) => ask_id)).size).toBe(1);
  await decide(api, answers[0]!);
  expect(await plan('touch', 'd')).toMatchObject({ plan_id: answers[0]!['plan_id'], status: 'approved' });
  expect((await plan('touch', 'e'))['plan_id']).not.toBe(answers[0]!['plan_id']);
});

describe('plan:stale', () => {
  verifies('plan:stale', 'a working folder that became a link', async () => {
    mkdirSync(site('d1'));
    const planned = await call('terminal_plan', { argv: ['ls'], cwd: 'd1' });
    renameSync(site('d1'), site('d1-old'));
    symlinkSync('/etc', site('d1'));
    expect(await execute(planned)).toMatchObject({ error: { code: 'PLAN_STALE', details: { changed: ['cwd'] } } });
    expect(await execute(planned)).toMatchObject({ error: { code: 'PLAN_STALE' } });
    rmSync(site('d1'));
  });

  verifies('plan:stale', 'a script that was rewritten after its approval', async () => {
    writeFileSync(site('deploy.sh'), '#!/usr/bin/env bash\necho good\n', { mode: 0o755 });
    const planned = await approvedPlan(api, agent, ['./deploy.sh']);
    writeFileSync(site('deploy.sh'), '#!/usr/bin/env bash\necho evil\n', { mode: 0o755 });
    expect(await execute(planned)).toMatchObject({ error: { code: 'PLAN_STALE' } });
  });

  verifies('plan:stale', 'a script operand that was rewritten after its approval', async () => {
    writeFileSync(site('operand.sh'), 'echo good\n');
    const planned = await approvedPlan(api, agent, ['bash', 'operand.sh']);
    writeFileSync(site('operand.sh'), 'echo evil\n');
    expect(await execute(planned)).toMatchObject({ error: { code: 'PLAN_STALE' } });
  });

  verifies('plan:stale', 'a target that leads elsewhere by now', async () => {
    mkdirSync(site('dst'));
    writeFileSync(site('a.txt'), 'a');
    const planned = await approvedPlan(api, agent, ['cp', 'a.txt', 'dst/b']);
    rmSync(site('dst'), { recursive: true });
    symlinkSync('/tmp', site('dst'));
    expect(await execute(planned)).toMatchObject({ error: { code: 'PLAN_STALE' } });
    rmSync(site('dst'));
  });

  verifies('plan:stale', 'a mode that became stricter', async () => {
    const planned = await approvedPlan(api, agent, ['touch', 'f']);
    const { items } = (await owner.get('/api/workspaces')) as { items: { id: string }[] };
    await owner.patch(`/api/workspaces/${items[0]!.id}`, { mode: 'inspect' });
    expect(await execute(planned)).toMatchObject({
      error: { code: 'PLAN_STALE', details: { changed: expect.arrayContaining(['mode']) as unknown } },
    });
    await owner.patch(`/api/workspaces/${items[0]!.id}`, { mode: 'confirm' });
  });
});

verifies('plan:strict', async () => {
  const planned = await plan('ls');
  const changed = await call('terminal_execute', { ...refOf(planned), argv: ['touch', 'evil'] });
  expect(changed).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  const { session_id: other } = await call('terminal_open_session', {});
  expect(await call('terminal_execute', { session_id: other, plan_id: planned['plan_id'] })).toMatchObject({
    error: { code: 'PLAN_NOT_FOUND' },
  });
  const created = (await owner.post('/api/tokens', { name: 'stranger' })) as { secret: string };
  const stranger = await api.mcp({ token: created.secret });
  expect(await callTool(stranger, 'terminal_execute', refOf(planned))).toMatchObject({ error: { code: 'PLAN_NOT_FOUND' } });
  expect(await callTool(stranger, 'terminal_wait', refOf(planned))).toMatchObject({ error: { code: 'PLAN_NOT_FOUND' } });
  expect((await rest('GET', `/api/plans/${String(planned['plan_id'])}`, undefined, created.secret)).status).toBe(404);
  expect(await execute(planned)).toMatchObject({ receipt: { status: 'succeeded' } });
});

describe('plan:bad-input', () => {
  const UNKNOWN = '01890000-0000-7000-8000-000000000000';

  verifies('plan:bad-input', 'over REST', async () => {
    const cases: readonly [string, string, unknown, number, string][] = [
      ['POST', '/api/plans', {}, 400, 'INPUT_INVALID'],
      ['POST', '/api/plans', { argv: ['ls'], command: 'ls' }, 400, 'INPUT_INVALID'],
      ['POST', '/api/plans', { argv: 'ls' }, 400, 'INPUT_INVALID'],
      ['POST', '/api/plans', { argv: ['ls'], shell: true }, 400, 'INPUT_INVALID'],
      ['POST', '/api/plans', '{"argv":', 400, 'JSON_INVALID'],
      ['POST', '/api/plans', { argv: [''] }, 400, 'COMMAND_INVALID'],
      ['POST', '/api/plans', { argv: ['ls', 'a\0b'] }, 400, 'COMMAND_INVALID'],
      ['POST', '/api/plans', { argv: ['ls'], cwd: '../..' }, 400, 'CWD_INVALID'],
      ['POST', '/api/plans', { argv: ['ls'], cwd: 'nowhere' }, 400, 'CWD_INVALID'],
      ['POST', '/api/plans', { argv: ['ls'], env: { LD_PRELOAD: './x.so' } }, 400, 'ENV_NOT_ALLOWED'],
      ['POST', '/api/plans', { argv: ['ls'], limits: { timeoutMs: 3_600_001 } }, 400, 'LIMITS_INVALID'],
      ['POST', '/api/plans', { argv: ['ls'], sessionId: UNKNOWN }, 404, 'SESSION_NOT_FOUND'],
      ['POST', '/api/plans', { argv: ['ls'], workspaceId: UNKNOWN }, 404, 'WORKSPACE_NOT_FOUND'],
      ['POST', '/api/plans', { argv: ['ls', 'x'.repeat(300_000)] }, 413, 'BODY_TOO_LARGE'],
      ['GET', `/api/plans/${UNKNOWN}`, undefined, 404, 'PLAN_NOT_FOUND'],
      ['GET', '/api/plans/7', undefined, 400, 'INPUT_INVALID'],
      ['GET', '/api/plans?limit=0', undefined, 400, 'INPUT_INVALID'],
      ['POST', `/api/plans/${UNKNOWN}/execute`, {}, 404, 'PLAN_NOT_FOUND'],
      ['GET', `/api/runs/${UNKNOWN}`, undefined, 404, 'RUN_NOT_FOUND'],
      ['POST', `/api/runs/${UNKNOWN}/cancel`, {}, 404, 'RUN_NOT_FOUND'],
      ['GET', `/api/sessions/${UNKNOWN}`, undefined, 404, 'SESSION_NOT_FOUND'],
      ['POST', '/api/workspaces', { name: 'etc', root: '/etc', mode: 'trusted' }, 403, 'SCOPE_MISSING'],
    ];
    const answers = await Promise.all(cases.map(([method, path, body]) => rest(method, path, body)));
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(cases.map(([, , , status, code]) => [status, code]));
  });

  verifies('plan:bad-input', 'a workspace that cannot be', async () => {
    const register = async (root: string) => {
      const answer = await owner.request('POST', '/api/workspaces', { name: root, root, mode: 'confirm' });
      return ((await answer.json()) as Answer).error?.code;
    };
    for (const root of ['/', 'relative', '/nowhere/at/all', api.dataDir]) expect(await register(root)).toBe('WORKSPACE_PATH_INVALID');
    expect(await register(api.workspace)).toBe('WORKSPACE_NAME_TAKEN');
  });

  verifies('plan:bad-input', 'a workspace that vanished loses nothing', async () => {
    const planned = await plan('ls');
    renameSync(api.workspace, `${api.workspace}-away`);
    expect(await execute(planned)).toMatchObject({ error: { code: 'WORKSPACE_GONE' } });
    expect(await plan('ls')).toMatchObject({ error: { code: 'WORKSPACE_GONE' } });
    renameSync(`${api.workspace}-away`, api.workspace);
    expect(await execute(planned)).toMatchObject({ receipt: { status: 'succeeded' } });
  });
});

it('lists plans page by page, each to those who may see them', async () => {
  const made = [await plan('ls', '-1'), await plan('ls', '-a')];
  const first = (await rest('GET', '/api/plans?limit=1')).body as unknown as Page<Plan>;
  expect(first.items.map(({ id }) => id)).toEqual([made[1]!['plan_id']]);
  const second = (await rest('GET', `/api/plans?limit=1&before=${String(first.next)}`)).body as unknown as Page<Plan>;
  expect(second.items.map(({ id }) => id)).toEqual([made[0]!['plan_id']]);
  const all = (await owner.get('/api/plans?limit=200&status=approved')) as Page<Plan>;
  expect(all.items.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ plan_id }) => plan_id)));
});

it('edits a waiting plan into a new one of the person who edits', async () => {
  const waiting = await plan('touch', 'g');
  const edited = (await owner.post('/api/plans', { argv: ['touch', 'h'], editedFrom: waiting['plan_id'] })) as Plan;
  expect(edited).toMatchObject({ editedFrom: waiting['plan_id'], status: 'awaiting_approval', ownerName: 'owner' });
  expect(edited.sessionId).not.toBe(waiting['session_id']);
});

it('tells what this server is', async () => {
  expect(await owner.get('/api/system')).toMatchObject({
    database: expect.stringMatching(/^(sqlite|postgres)$/) as string,
    mcpUrl: `${api.url}/mcp`,
    sandbox: { kind: expect.any(String) as string },
  });
});
