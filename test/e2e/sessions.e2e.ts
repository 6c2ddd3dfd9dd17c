import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import type { Session, Snapshot } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { approvedPlan, callTool, refOf, until } from '../support/terminal.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(60_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;

beforeAll(async () => {
  api = await boot({ env: { MAX_CONCURRENT_SESSIONS: '3' } });
  agent = await api.mcp();
  owner = await api.owner();
});
afterAll(() => api.close());

const call = (name: string, args: Record<string, unknown>) => callTool(agent, name, args);

verifies('session:ends-whole', async () => {
  const { session_id } = await call('terminal_open_session', {});
  const waiting = await call('terminal_plan', { session_id, argv: ['touch', 'x'] });
  const plan = await approvedPlan(api, agent, ['sleep', '60'], { session_id });
  const running = call('terminal_execute', refOf(plan));
  await until(async () => ((await owner.get(`/api/plans/${String(plan['plan_id'])}`)) as { runId: string | null }).runId ?? undefined);
  expect(await call('terminal_close_session', { session_id })).toMatchObject({ session_id, status: 'closed' });
  expect(await running).toMatchObject({ receipt: { status: 'cancelled' }, evidence: { details: { ended_by: 'session_closed' } } });
  expect(await owner.get(`/api/plans/${String(waiting['plan_id'])}`)).toMatchObject({ status: 'cancelled' });
  expect(await owner.get(`/api/asks/${String(waiting['ask_id'])}`)).toMatchObject({ status: 'cancelled' });
  expect(await call('terminal_plan', { session_id, argv: ['ls'] })).toMatchObject({ error: { code: 'SESSION_CLOSED' } });
  expect(await call('terminal_close_session', { session_id })).toMatchObject({ status: 'closed' });
});

it('uses one session by itself, limits them per owner, and shows them to the team', async () => {
  const [one, two] = [await call('terminal_plan', { argv: ['ls'] }), await call('terminal_plan', { argv: ['ls', '-a'] })];
  expect(two['session_id']).toBe(one['session_id']);
  await call('terminal_open_session', {});
  await call('terminal_open_session', {});
  expect(await call('terminal_open_session', {})).toMatchObject({ error: { code: 'SESSION_LIMIT', details: { limit: 3 } } });
  const mine = (await owner.post('/api/sessions', {})) as Session;
  const { items } = (await owner.get('/api/sessions')) as Snapshot<Session>;
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([mine.id, one['session_id']]));
  expect(await call('terminal_close_session', { session_id: mine.id })).toMatchObject({ error: { code: 'SESSION_NOT_FOUND' } });
  expect(await owner.post(`/api/sessions/${mine.id}/close`)).toMatchObject({ status: 'closed' });
});
