import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import type { Run } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { call, execute, person, plan, until, vote } from '../support/flow.js';

jest.setTimeout(60_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;
let hasTerminals: boolean;

beforeAll(async () => {
  api = await boot();
  agent = await api.mcp();
  owner = await api.owner();
  const tried = await call(agent, 'terminal_plan', { argv: ['head', '-n', '1'], tty: true });
  hasTerminals = tried.error?.code !== 'TERMINAL_UNAVAILABLE';
});
afterAll(() => api.close());

const reason = (promise: Promise<unknown>) => promise.then(() => 'done', String);

it('a person types into the terminal of a run; who and how much stands in the receipt, an agent cannot', async () => {
  if (!hasTerminals) return;
  const planned = await plan(agent, ['head', '-n', '2'], { tty: true });
  expect(planned).toMatchObject({
    status: 'awaiting_approval',
    decision: { rules: expect.arrayContaining(['terminal.input']) as unknown },
  });
  await vote(owner, planned);
  const ended = execute(agent, planned);
  const run = await until('the run', async () => {
    const { items } = (await owner.get('/api/runs?active=true')) as { items: readonly Run[] };
    return items.find(({ planId, status }) => planId === planned.plan_id && status === 'running');
  });
  const byAgent = await api.fetch(`/api/runs/${run.id}/input`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'ls\n' }),
  });
  expect(byAgent.status).toBe(403);
  const viewer = await person(api, owner, 'Vera', ['viewer']);
  expect(await reason(viewer.post(`/api/runs/${run.id}/input`, { text: 'ls\n' }))).not.toBe('done');
  await owner.post(`/api/runs/${run.id}/size`, { cols: 80, rows: 24 });
  await owner.post(`/api/runs/${run.id}/input`, { text: 'one\n' });
  await owner.post(`/api/runs/${run.id}/input`, { text: 'two\n' });
  const { receipt, evidence } = await ended;
  expect(receipt).toMatchObject({ status: 'succeeded', stdout: expect.stringMatching(/one\r\n[^]*two\r\n/) as unknown });
  expect(evidence?.typed).toEqual([expect.objectContaining({ bytes: 4 }), expect.objectContaining({ bytes: 4 })]);
  expect(await reason(owner.post(`/api/runs/${run.id}/input`, { text: 'x' }))).not.toBe('done');
});

it('a run without a terminal takes no input, and a pipeline gets none', async () => {
  if (!hasTerminals) return;
  expect(await call(agent, 'terminal_plan', { command: 'ls | head', tty: true })).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  const planned = await plan(agent, ['sleep', '2']);
  if (planned.status === 'awaiting_approval') await vote(owner, planned);
  const ended = execute(agent, planned);
  const run = await until('the run', async () => {
    const { items } = (await owner.get('/api/runs?active=true')) as { items: readonly Run[] };
    return items.find(({ planId }) => planId === planned.plan_id);
  });
  expect(await reason(owner.post(`/api/runs/${run.id}/input`, { text: 'x' }))).not.toBe('done');
  await ended;
});
