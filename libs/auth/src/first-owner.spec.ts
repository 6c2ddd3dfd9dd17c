import type { AuthState, PersonInfo } from '#contracts';
import { bootAuth, PASSWORD, tokenOf, type AuthApp } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import { hashOf } from './core/credentials.js';
import { FirstOwner } from './first-owner.js';
import { WelcomeLinkRepository } from './ports.js';
import { Tokens } from './tokens.js';

describe.each(engines)('the first owner on %s', (_name, open) => {
  let api: AuthApp;
  let owners: FirstOwner;
  beforeEach(async () => {
    api = await bootAuth({ open });
    owners = api.get(FirstOwner);
  }, 30_000);
  afterEach(() => api.close());

  const invite = async (): Promise<string> => tokenOf((await owners.invite())?.url);

  it('comes in through a link that keeps its secret in the fragment, and is signed in', async () => {
    const invitation = await owners.invite();
    expect(invitation?.url).toMatch(new RegExp(`^${api.url}/welcome#token=[A-Za-z0-9_-]{43}$`));
    expect(invitation?.expiresAt).toBe(api.clock.now() + 900_000);
    const browser = api.caller();
    expect((await browser.send<AuthState>('GET', '/api/auth/state')).body).toEqual({ hasOwner: false, me: null, csrfToken: null });
    const { status, body } = await browser.welcome(tokenOf(invitation?.url), '  Ada  Lovelace ');
    expect(status).toBe(200);
    expect(body).toMatchObject({ hasOwner: true, me: { kind: 'person', name: 'Ada Lovelace', roles: ['admin'], channel: 'console' } });
    expect((await browser.send<AuthState>('GET', '/api/auth/state')).body).toEqual(body);
    expect(await owners.invite()).toBeUndefined();
  });

  verifies('auth:one-owner', async () => {
    const token = await invite();
    const tries = await Promise.all(['A', 'B', 'C', 'D'].map((name) => api.caller().welcome(token, name)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
    const winner = tries.find(({ status }) => status === 200);
    const people = await api.db
      .selectFrom('people' as 'events')
      .selectAll()
      .execute();
    expect(people).toMatchObject([{ name: winner?.body.me?.name }]);
    expect(
      (await (await signedIn(winner?.body.me?.name ?? '')).send<{ items: PersonInfo[] }>('GET', '/api/people')).body.items,
    ).toHaveLength(1);
  });

  it('is not made by a GET, a HEAD or a wrong link', async () => {
    const token = await invite();
    const browser = api.caller();
    for (const method of ['GET', 'HEAD']) await browser.send(method, '/api/auth/welcome');
    expect((await browser.welcome('A'.repeat(43))).status).toBe(410);
    expect(await owners.exists()).toBe(false);
    expect((await browser.welcome(token)).status).toBe(200);
  });

  it.each([
    ['is replaced by the next start', () => invite(), false],
    ['is older than 15 minutes', () => Promise.resolve((api.clock.at += 900_000)), false],
    ['has made the owner', (token: string) => api.caller().welcome(token, 'Grace'), true],
  ])('a link that %s says so, and what to do', async (_case, spoil, hasOwner) => {
    const token = await invite();
    await spoil(token);
    const { status, body } = await api.caller().send('POST', '/api/auth/welcome', { token, name: 'Ada', password: PASSWORD });
    expect([status, body.error.code, body.error.details]).toEqual([410, 'LINK_INVALID', { hasOwner }]);
    expect(body.error.message).toContain(hasOwner ? 'Sign in with name and password' : 'Restart the server');
  });

  it('is refused when another process made a link while somebody became the owner', async () => {
    await api.owner();
    const late = 'B'.repeat(43);
    await api.get(WelcomeLinkRepository).replace(hashOf(late), api.clock.now() + 1_000);
    const { status, body } = await api.caller().send('POST', '/api/auth/welcome', { token: late, name: 'Eve', password: PASSWORD });
    expect([status, body.error.code]).toEqual([409, 'OWNER_EXISTS']);
    expect((await api.caller().login('Eve')).status).toBe(401);
  });

  it('keeps the link when name or password is refused', async () => {
    const token = await invite();
    const bad = await api.caller().send('POST', '/api/auth/welcome', { token, name: 'Ada', password: 'short' });
    expect([bad.status, bad.body.error.code, bad.body.error.details]).toEqual([400, 'INPUT_INVALID', { path: 'password' }]);
    expect((await api.caller().send('POST', '/api/auth/welcome', { token, name: ' ', password: PASSWORD })).status).toBe(400);
    expect((await api.caller().welcome(token)).status).toBe(200);
  });

  it('takes over the token of the first start, which is made once', async () => {
    const tokens = api.get(Tokens);
    const made = await Promise.all([tokens.createFirst(), tokens.createFirst(), tokens.createFirst()]);
    const [first, ...others] = made.filter((token) => token !== undefined);
    expect(others).toEqual([]);
    expect(first?.token).toMatchObject({ name: 'agent', personId: null, scopes: ['terminal:plan', 'terminal:execute', 'receipts:read'] });
    expect((await api.caller(first?.secret).send('GET', '/api/tokens')).status).toBe(403);
    const owner = await api.owner();
    const { body } = await owner.send<{ items: { id: string; personId: string }[] }>('GET', '/api/tokens');
    const me = (await owner.send<AuthState>('GET', '/api/auth/state')).body.me;
    expect(body.items).toMatchObject([{ id: first?.token.id, personId: me?.id }]);
    expect(await tokens.createFirst()).toBeUndefined();
  });

  async function signedIn(name: string) {
    const http = api.caller();
    await http.login(name);
    return http;
  }
});
