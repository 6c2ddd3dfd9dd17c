import type { CreatedToken } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';

let api: Booted;
let owner: ConsoleClient;
beforeAll(async () => {
  api = await boot();
  owner = await api.owner();
}, 60_000);
afterAll(() => api.close());

type Answer = Record<string, unknown>;

async function aToken(name: string): Promise<string> {
  return ((await owner.post('/api/tokens', { name, scopes: ['terminal:plan', 'terminal:execute'] })) as CreatedToken).secret;
}

it('an id opens nothing: what belongs to another caller and what never was give one answer, on every door', async () => {
  const [mine, stranger] = [await aToken('mine'), await aToken('stranger')];
  const agent = await api.mcp({ token: mine });
  const { structuredContent } = await agent.callTool({ name: 'terminal_plan', arguments: { command: 'rm notes.txt' } });
  const { plan_id: plan, session_id: session } = structuredContent as Record<string, string>;
  const never = '01920000-0000-7000-8000-000000000001';
  const headers = { authorization: `Bearer ${stranger}`, 'content-type': 'application/json' };
  const said = async (method: string, path: string): Promise<string> => {
    const response = await api.fetch(path, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    return `${String(response.status)} ${(await response.text()).replaceAll(/[0-9a-f-]{36}/g, 'id')}`;
  };
  for (const [method, toPath] of [
    ['GET', (id: string) => `/api/plans/${id}`],
    ['POST', (id: string) => `/api/plans/${id}/execute`],
    ['POST', (id: string) => `/api/plans/${id}/cancel`],
  ] as const) {
    expect(await said(method, toPath(plan ?? ''))).toBe(await said(method, toPath(never)));
  }
  expect(await said('GET', `/api/sessions/${session ?? ''}`)).toBe(await said('GET', `/api/sessions/${never}`));
  const other = await api.mcp({ token: stranger });
  const asked = async (ids: Answer): Promise<string> =>
    JSON.stringify((await other.callTool({ name: 'terminal_execute', arguments: ids })).content).replaceAll(/[0-9a-f-]{36}/g, 'id');
  expect(await asked({ session_id: session, plan_id: plan })).toBe(await asked({ session_id: never, plan_id: never }));
});

it('no caller of the API names a program that this server starts for a connector', async () => {
  const wish = { name: 'evil', endpoint: 'http://127.0.0.1:1', command: '/bin/sh', args: ['-c', 'id'], env: { PATH: '/tmp' } };
  const refused = await owner.request('POST', '/api/oomol/create', wish);
  expect(refused.status).toBe(400);
  const { error } = (await refused.json()) as { error: { code: string; details: unknown } };
  expect(error.code).toBe('INPUT_INVALID');
  expect(JSON.stringify(error.details)).toContain('command');
  for (const endpoint of ['file:///bin/sh', 'stdio:/bin/sh', 'javascript:alert(1)']) {
    expect((await owner.request('POST', '/api/oomol/create', { name: 'evil', endpoint })).status).toBe(400);
  }
});

it('every address is the public one, below the path that a proxy shows, whatever a header says', async () => {
  const proxied = await boot({ env: { PUBLIC_URL: 'https://console.example/base', TRUST_PROXY: 'false' } });
  try {
    const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const response = await fetch(`${local(proxied)}/base/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...forged },
      body: JSON.stringify({ name: 'nobody', password: 'nine green bottles' }),
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('strict-transport-security')).toContain('max-age');
    const metadata = await fetch(`${local(proxied)}/base/.well-known/oauth-protected-resource/mcp`, { headers: forged });
    expect(await metadata.json()).toMatchObject({ resource: 'https://console.example/base/mcp' });
    const discovery = await fetch(`${local(proxied)}/base/oauth/.well-known/openid-configuration`, { headers: forged });
    expect(await discovery.text()).not.toContain('evil.example');
  } finally {
    await proxied.close();
  }
});

function local({ app }: Booted): string {
  return `http://127.0.0.1:${String((app.getHttpServer().address() as { port: number }).port)}`;
}
