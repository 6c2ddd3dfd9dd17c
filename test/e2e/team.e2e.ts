import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import type { AppEvent, Ask, CreatedToken, Page, PersonInfo, Plan, Run, Snapshot, Workspace } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { databases, type ProductDatabase } from '../support/engines.js';
import { EventReader } from '../support/event-source.js';
import { PASSWORD } from '../support/flow.js';
import { headersOf, modern } from '../support/mcp-app.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(90_000);

const SECOND_MS = 1_000;

interface Person {
  readonly info: PersonInfo;
  readonly http: ConsoleClient;
}

describe.each(databases)('a team on %s', (engine, open) => {
  let database: ProductDatabase;
  let api: Booted;
  /** A second server on the same data. */
  let beside: Booted;
  let owner: ConsoleClient;
  let here: Workspace;
  let there: Workspace;

  beforeAll(async () => {
    database = await open();
    api = await boot({ env: database.env });
    owner = await api.owner();
    beside = await boot({ env: database.env, dataDir: api.dataDir, keep: true });
    const root = join(dirname(api.dataDir), 'there');
    mkdirSync(root);
    [here] = ((await owner.get('/api/workspaces')) as Snapshot<Workspace>).items as [Workspace];
    there = (await owner.post('/api/workspaces', { name: 'there', root, mode: 'confirm' })) as Workspace;
  });
  afterAll(async () => {
    await beside.close();
    await api.close();
    await database.remove();
  });

  async function person(name: string, body: object, server = api): Promise<Person> {
    const info = (await owner.post('/api/people', { name, password: PASSWORD, ...body })) as PersonInfo;
    const http = new ConsoleClient(server.url);
    await http.login(name, PASSWORD);
    return { info, http };
  }
  const statusOf = async (http: ConsoleClient, method: string, path: string, body?: object) =>
    (await http.request(method, path, body)).status;
  const planIn = (workspaceId: string, words: string) => ({ workspaceId, argv: ['touch', words] });

  verifies('auth:workspace-roles', `${engine}, plans and runs`, async () => {
    const { http: olga } = await person('Olga', { roles: [], workspaceRoles: { [there.id]: ['operator'] } });
    expect(((await olga.get('/api/workspaces')) as Snapshot<Workspace>).items.map(({ id }) => id)).toEqual([there.id]);
    expect(await statusOf(olga, 'POST', '/api/plans', planIn(here.id, 'x'))).toBe(404);
    expect(await statusOf(olga, 'POST', '/api/sessions', { workspaceId: here.id })).toBe(404);
    expect(await statusOf(olga, 'POST', '/api/policy/explain', { workspace: here.id, argv: ['ls'] })).toBe(404);
    // Without a name it is the first in which she may plan.
    expect(((await olga.post('/api/plans', { argv: ['ls'] })) as Plan).workspaceId).toBe(there.id);
    const foreign = (await owner.post('/api/plans', { workspaceId: here.id, argv: ['ls'] })) as Plan;
    const shared = (await owner.post('/api/plans', { workspaceId: there.id, argv: ['ls'] })) as Plan;
    expect(await statusOf(olga, 'GET', `/api/plans/${foreign.id}`)).toBe(404);
    for (const verb of ['execute', 'cancel']) expect(await statusOf(olga, 'POST', `/api/plans/${foreign.id}/${verb}`, {})).toBe(404);
    const seen = ((await olga.get('/api/plans?limit=50')) as Page<Plan>).items.map(({ id }) => id);
    expect([seen.includes(shared.id), seen.includes(foreign.id)]).toEqual([true, false]);
    const run = (await olga.post(`/api/plans/${shared.id}/execute`)) as Run;
    expect(run.planId).toBe(shared.id);
    const elsewhere = (await owner.post(`/api/plans/${foreign.id}/execute`)) as Run;
    expect(await statusOf(olga, 'GET', `/api/runs/${elsewhere.id}`)).toBe(404);
    expect(await statusOf(olga, 'GET', `/api/runs/${elsewhere.id}/output`)).toBe(404);
    const runs = ((await olga.get('/api/runs')) as Snapshot<Run>).items.map(({ id }) => id);
    expect([runs.includes(run.id), runs.includes(elsewhere.id)]).toEqual([true, false]);
    expect(await statusOf(olga, 'PATCH', `/api/workspaces/${there.id}`, { mode: 'trusted' })).toBe(403);
  });

  verifies('auth:workspace-roles', `${engine}, votes and events`, async () => {
    const { http: grace } = await person('Grace', { roles: [], workspaceRoles: { [there.id]: ['approver'] } });
    const events = await EventReader.open<AppEvent>(`${api.url}/api/events`, { cookie: grace.cookie });
    const foreign = (await owner.post('/api/plans', planIn(here.id, `f-${engine}`))) as Plan;
    const local = (await owner.post('/api/plans', planIn(there.id, `l-${engine}`))) as Plan;
    const vote = (plan: Plan) => ({ answer: 'approve', digest: plan.digest });
    expect(await statusOf(grace, 'POST', `/api/asks/${String(foreign.askId)}/votes`, vote(foreign))).toBe(404);
    expect(await statusOf(grace, 'GET', `/api/asks/${String(foreign.askId)}`)).toBe(404);
    const listed = ((await grace.get('/api/asks?state=open')) as Snapshot<Ask>).items.map(({ id }) => id);
    expect(listed).toEqual([local.askId]);
    expect(await statusOf(grace, 'POST', `/api/asks/${String(local.askId)}/votes`, vote(local))).toBe(200);
    await events.next((event) => event.type === 'ask.closed' && event.askId === local.askId);
    expect(JSON.stringify(events.frames)).not.toContain(foreign.id);
    await events.close();
  });

  verifies('auth:workspace-roles', `${engine}, tokens`, async () => {
    const bound = (await owner.post('/api/tokens', { name: 'bound', workspaces: [there.id] })) as CreatedToken;
    const agent = await api.mcp({ token: bound.secret });
    const planned = async (workspace: string) =>
      (await agent.callTool({ name: 'terminal_plan', arguments: { workspace, argv: ['ls'] } })).structuredContent as {
        status?: string;
        error?: { code: string };
      };
    expect((await planned(there.name)).status).toBe('approved');
    expect((await planned(here.name)).error?.code).toBe('WORKSPACE_NOT_FOUND');
    const relay = (await owner.post('/api/tokens', { name: 'relay', toolFamilies: ['relay'] })) as CreatedToken;
    const other = await api.mcp({ token: relay.secret });
    expect((await other.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('terminal_'))).toEqual([]);
    const { structuredContent } = await other.callTool({ name: 'policy_explain', arguments: { argv: ['ls'] } });
    expect(structuredContent).toMatchObject({ error: { code: 'TOOL_NOT_ALLOWED' } });
    const headers = { authorization: `Bearer ${relay.secret}`, 'content-type': 'application/json' };
    expect((await api.fetch('/api/plans', { method: 'POST', headers, body: JSON.stringify({ argv: ['ls'] }) })).status).toBe(403);
  });

  verifies('auth:cut-within-a-second', `${engine}, a token on the streams of another server`, async () => {
    const { token, secret } = (await owner.post('/api/tokens', { name: 'watcher' })) as CreatedToken;
    const authorization = `Bearer ${secret}`;
    const events = await EventReader.open(`${beside.url}/api/events`, { authorization });
    const body = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'listen');
    const mcp = await beside.fetch('/mcp', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headersOf(body) },
      body: JSON.stringify(body),
    });
    expect(mcp.status).toBe(200);
    const ended = Promise.all([events.ended, readToEnd(mcp)]);
    const since = performance.now();
    await owner.delete(`/api/tokens/${token.id}`);
    await ended;
    expect(performance.now() - since).toBeLessThan(SECOND_MS);
    expect((await beside.fetch('/api/events', { headers: { authorization } })).status).toBe(401);
  });

  verifies('auth:cut-within-a-second', `${engine}, a person on another server`, async () => {
    const { info, http } = await person('Pia', { roles: ['operator'] }, beside);
    const events = await EventReader.open(`${beside.url}/api/events`, { cookie: http.cookie });
    const since = performance.now();
    await owner.patch(`/api/people/${info.id}`, { disabled: true });
    await events.ended;
    expect(performance.now() - since).toBeLessThan(SECOND_MS);
    expect(await statusOf(http, 'GET', '/api/plans')).toBe(401);
  });

  it('lets a rotated token and its successor overlap, then ends the old one', async () => {
    const old = (await owner.post('/api/tokens', { name: 'ci', scopes: ['receipts:read'] })) as CreatedToken;
    const next = (await owner.post(`/api/tokens/${old.token.id}/rotate`, { overlapHours: 1 })) as CreatedToken;
    expect(next.token).toMatchObject({ name: 'ci', scopes: ['receipts:read'] });
    const enter = async (secret: string) =>
      (await beside.fetch('/api/receipts', { headers: { authorization: `Bearer ${secret}` } })).status;
    expect([await enter(old.secret), await enter(next.secret)]).toEqual([200, 200]);
    expect(await statusOf(owner, 'POST', `/api/tokens/${old.token.id}/rotate`, {})).toBe(404);
    const last = (await owner.post(`/api/tokens/${next.token.id}/rotate`, { overlapHours: 0 })) as CreatedToken;
    const deadline = performance.now() + SECOND_MS;
    while ((await enter(next.secret)) !== 401) expect(performance.now()).toBeLessThan(deadline);
    expect(await enter(last.secret)).toBe(200);
  });

  it('holds a token to its own rate', async () => {
    const { secret } = (await owner.post('/api/tokens', { name: 'slow', ratePerMinute: 3 })) as CreatedToken;
    const enter = () => api.fetch('/api/receipts', { headers: { authorization: `Bearer ${secret}` } });
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await enter()).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await enter()).headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

async function readToEnd({ body }: Response): Promise<void> {
  try {
    for await (const _ of body ?? []); // until the server ends it
  } catch {
    // the server cut it
  }
}
