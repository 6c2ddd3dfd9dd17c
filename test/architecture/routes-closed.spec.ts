import { LocalCallers, Tokens } from '#auth';
import { SCOPES, type Scope } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import { verifies } from '../support/verifies.js';

/** The whole list of doors that are open to everyone. A new one is added here on purpose or not at all. */
const PUBLIC = new Set([
  'GET /health',
  'GET /ready',
  'GET /api/auth/state',
  'POST /api/auth/welcome',
  'POST /api/auth/login',
  'POST /api/auth/login/second',
  'POST /api/auth/login/passkey',
  'POST /api/auth/link',
  'POST /api/auth/invite',
  'POST /api/auth/reset',
]);
/** The description of the API says where the doors are; it opens none. */
const DESCRIPTION = /^\/api\/docs(-json|-yaml|\/.*|\/)?$/;
/** Files of the console: the same for everyone. */
const CONSOLE_FILE = /^\/(?!api\/|api$|mcp\/|mcp$|metrics$|health$|ready$)/;
/** Doors that ask for any credential: behind them a caller sees and touches its own things only, or a scope is asked for later. */
const ANY_CALLER = new Set([
  'POST /api/auth/logout',
  'POST /api/auth/password',
  'POST /api/auth/step-up',
  'POST /api/auth/step-up/passkey',
  'GET /api/auth/sessions',
  'DELETE /api/auth/sessions/:id',
  'POST /api/auth/sessions/end-others',
  'GET /api/auth/factors',
  'POST /api/auth/factors/totp',
  'POST /api/auth/factors/totp/confirm',
  'DELETE /api/auth/factors/totp',
  'POST /api/auth/factors/recovery',
  'POST /api/auth/factors/passkeys',
  'POST /api/auth/factors/passkeys/options',
  'DELETE /api/auth/factors/passkeys/:id',
  'POST /api/tokens',
  'GET /api/events',
  'GET /api/system',
  'GET /api/workspaces',
  'GET /api/sessions',
  'GET /api/sessions/:id',
  'GET /api/plans',
  'GET /api/plans/:id',
  'GET /api/runs',
  'GET /api/runs/:id',
  'GET /api/runs/:id/output',
  'GET /api/runs/:id/stream',
  'GET /api/asks',
  'GET /api/asks/:id',
  'POST /api/asks/:id/votes',
  'POST /api/policy/explain',
  'GET /api/policy/proposals',
  'POST /api/policy/proposals',
  'GET /api/policy/remembered',
]);
/** Tools, resources and prompts name their own scopes. */
const MCP = /^[A-Z]+ \/mcp(\/|$)/;
const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const SOMETHING = '01920000-0000-7000-8000-000000000001';

let api: Booted;
let closed: readonly string[];
beforeAll(async () => {
  api = await boot();
  const all = api.routes.filter(({ method }) => VERBS.includes(method)).map(({ method, url }) => `${method} ${url}`);
  closed = [...new Set(all)].filter((route) => !isPublic(route)).sort();
}, 60_000);
afterAll(() => api.close());

function isPublic(route: string): boolean {
  const [method = '', url = ''] = route.split(' ');
  if (PUBLIC.has(method === 'HEAD' ? `GET ${url}` : route)) return true;
  return (method === 'GET' || method === 'HEAD') && (DESCRIPTION.test(url) || CONSOLE_FILE.test(url));
}

async function knock(route: string, headers: Record<string, string> = {}): Promise<{ readonly line: string; readonly text: string }> {
  const [method = '', url = ''] = route.split(' ');
  const answer = await api.fetch(url.replaceAll(/:\w+|\*/g, SOMETHING), { method, headers, redirect: 'manual' });
  return { line: `${route} ${answer.status}`, text: await answer.text() };
}

it('knows the routes of every plane', () => {
  for (const route of [
    'GET /api/people',
    'POST /api/tokens',
    'GET /api/events',
    'POST /api/plans/:id/execute',
    'POST /api/asks/:id/votes',
    'GET /api/receipts/:id',
    'POST /mcp',
    'POST /mcp/terminal',
    'GET /metrics',
  ]) {
    expect(closed).toContain(route);
  }
});

verifies('invariant:8', 'HTTP', async () => {
  for (const headers of [{}, { authorization: 'Bearer csn_nothing' }, { cookie: `csn_session=${'A'.repeat(43)}` }]) {
    const answers = await Promise.all(closed.map((route) => knock(route, headers)));
    expect(answers.map(({ line }) => line).filter((line) => !line.endsWith(' 401'))).toEqual([]);
  }
});

it('every route that is not for any caller refuses a token of another scope, and names the scope', async () => {
  const scopes: readonly Scope[] = ['connector:read'];
  const by = api.app.get(LocalCallers).commandLine();
  const { secret } = await api.app.get(Tokens).create({ by, name: 'stranger', personId: null, scopes, expiresAt: null });
  const scoped = closed.filter((route) => !ANY_CALLER.has(route.replace(/^HEAD /, 'GET ')) && !MCP.test(route));
  const answers = await Promise.all(scoped.map((route) => knock(route, { authorization: `Bearer ${secret}` })));
  expect(answers.map(({ line }) => line).filter((line) => !line.endsWith(' 403'))).toEqual([]);
  const named = answers.filter(({ line }) => !line.startsWith('HEAD ')).map(({ line, text }) => [line, scopeIn(text)] as const);
  expect(named.filter(([, scope]) => !(SCOPES as readonly unknown[]).includes(scope))).toEqual([]);
});

it('lists no public door and no door for any caller that does not exist', () => {
  const all = new Set(api.routes.map(({ method, url }) => `${method} ${url}`));
  expect([...PUBLIC, ...ANY_CALLER].filter((route) => !all.has(route))).toEqual([]);
});

function scopeIn(text: string): unknown {
  return (JSON.parse(text) as { error: { details: { scope?: unknown } } }).error.details.scope;
}
