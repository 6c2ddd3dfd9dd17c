import type { AuthState, CreatedToken, PersonInfo } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { verifies } from '../support/verifies.js';

const PASSWORD = 'nine green bottles';

let api: Booted;
beforeEach(async () => {
  api = await boot();
}, 60_000);
afterEach(() => api.close());

type Answer = Record<string, unknown>;

async function whoami(token?: string): Promise<Answer> {
  const agent = await api.mcp(token === undefined ? {} : { token });
  const { structuredContent } = await agent.callTool({ name: 'whoami', arguments: {} });
  return structuredContent as Answer;
}

async function stateOf(person: ConsoleClient): Promise<AuthState> {
  return (await person.get('/api/auth/state')) as AuthState;
}

it('tells an agent who it is, and never lets it decide', async () => {
  expect(await whoami()).toEqual({
    principal: { id: expect.any(String) as string, kind: 'token', name: 'agent' },
    scopes: ['terminal:plan', 'terminal:execute', 'receipts:read'],
    roles: [],
    channel: 'mcp',
    server: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string },
  });
});

it('takes a newcomer from the printed link to a token that works, and ends it at once', async () => {
  const owner = await api.owner();
  expect(await stateOf(owner)).toMatchObject({ hasOwner: true, me: { roles: ['admin'], channel: 'console' } });
  const { token, secret } = (await owner.post('/api/tokens', { name: 'ci' })) as CreatedToken;
  expect(await whoami(secret)).toMatchObject({ principal: { id: token.id, name: 'ci' } });
  await owner.delete(`/api/tokens/${token.id}`);
  await expect(whoami(secret)).rejects.toThrow();
  // The agent of the first start is the owner's now, and goes on.
  const { items } = (await owner.get('/api/tokens')) as { items: CreatedToken['token'][] };
  expect(items.find(({ name }) => name === 'agent')?.personId).toBe((await stateOf(owner)).me?.id);
  expect(await whoami()).toMatchObject({ principal: { name: 'agent' } });
});

it('prints a new link at the next start and voids the old one, until there is an owner', async () => {
  const { dataDir } = api;
  const again = await boot({ dataDir, keep: true });
  try {
    expect([again.agentToken, again.link === api.link]).toEqual(['', false]);
    await expect(new ConsoleClient(again.url).welcome(api.link)).rejects.toThrow('LINK_INVALID');
    await new ConsoleClient(again.url).welcome(again.link);
  } finally {
    await again.close();
  }
  const third = await boot({ dataDir, keep: true });
  expect([third.agentToken, third.link]).toEqual(['', '']);
  await third.close();
}, 60_000);

verifies('invariant:16', 'over MCP and REST with the token of an agent', async () => {
  const agent = await api.mcp();
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name).filter((name) => /token|person|people|role|policy_(?!explain)|limit/.test(name))).toEqual([]);
  const headers = { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' };
  for (const [path, body] of [
    ['/api/tokens', { name: 'more', scopes: ['approvals:decide'] }],
    ['/api/people', { name: 'Eve', password: PASSWORD, roles: ['admin'] }],
    ['/api/workspaces', { name: 'all', root: '/', mode: 'trusted' }],
  ] as const) {
    const answer = await api.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});

it('ends the open stream of a person who is disabled', async () => {
  const owner = await api.owner();
  const olga = (await owner.post('/api/people', { name: 'Olga', password: PASSWORD, roles: ['operator'] })) as PersonInfo;
  const person = new ConsoleClient(api.url);
  await person.login('Olga', PASSWORD);
  const stream = await person.request('GET', '/api/events');
  expect(stream.status).toBe(200);
  const ended = (async () => {
    for await (const _ of stream.body ?? []); // until the server ends it
  })();
  await owner.patch(`/api/people/${olga.id}`, { disabled: true });
  await ended;
  expect((await person.request('GET', '/api/events')).status).toBe(401);
});

it('keeps a browser page off the doors of machines: the cookie opens no MCP', async () => {
  const owner = await api.owner();
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect((await owner.request('POST', '/mcp', body, { accept: 'application/json, text/event-stream' })).status).toBe(401);
});
