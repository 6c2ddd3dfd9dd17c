import type { AuthState } from '#contracts';
import { bootAuth, PASSWORD, tokenOf, type AuthApp, type HttpCaller } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { ConsoleSessions } from './console-sessions.js';
import { FirstOwner } from './first-owner.js';
import { LastSeen } from './last-seen.js';

const HOUR = 3_600_000;

describe.each(engines)('console sessions on %s', (_name, open) => {
  let api: AuthApp;
  let ada: HttpCaller;
  beforeEach(async () => {
    api = await bootAuth({ open });
    ada = await api.owner();
  }, 30_000);
  afterEach(() => api.close());

  const me = async (http: HttpCaller) => (await http.send<AuthState>('GET', '/api/auth/state')).body.me;
  const rows = () =>
    api.db
      .selectFrom('console_sessions' as 'events')
      .selectAll()
      .execute();

  it('are known by their SHA-256 only', async () => {
    const [row] = (await rows()) as unknown as { hash: string }[];
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await rows())).not.toContain(ada.cookie.split('=')[1]);
  });

  it('end with sign-out, in the browser and here', async () => {
    const stolen = api.caller();
    stolen.cookie = ada.cookie;
    const { status, headers } = await ada.send('POST', '/api/auth/logout');
    expect(status).toBe(204);
    expect(headers.getSetCookie()).toEqual(['csn_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0']);
    expect(await me(stolen)).toBeNull();
    expect(await rows()).toEqual([]);
  });

  it('are not ended by a page of another site: sign-out needs the CSRF token', async () => {
    expect((await ada.send('POST', '/api/auth/logout', undefined, { 'x-csrf-token': 'none' })).status).toBe(403);
    expect(await me(ada)).not.toBeNull();
  });

  it('give the browser a new secret at each sign-in, and end the one it had', async () => {
    const before = ada.cookie;
    await ada.login('Ada');
    expect(ada.cookie).not.toBe(before);
    const old = api.caller();
    old.cookie = before;
    expect(await me(old)).toBeNull();
    expect(await rows()).toHaveLength(1);
  });

  it('end after twelve hours without use, and use keeps them', async () => {
    api.clock.at += 11 * HOUR;
    expect(await me(ada)).not.toBeNull();
    await api.get(LastSeen).write();
    api.clock.at += 11 * HOUR;
    expect(await me(ada)).not.toBeNull();
    await api.get(LastSeen).write();
    api.clock.at += 12 * HOUR;
    expect(await me(ada)).toBeNull();
    await api.get(ConsoleSessions).removeEnded();
    expect(await rows()).toEqual([]);
  });

  it('end after seven days, used or not', async () => {
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      api.clock.at += 6 * HOUR;
      expect(await me(ada)).not.toBeNull();
      await api.get(LastSeen).write();
    }
    api.clock.at += 6 * HOUR;
    expect(await me(ada)).toBeNull();
  });

  it('are at most twenty per person: the oldest makes room', async () => {
    const id = (await me(ada))?.id;
    for (let count = 0; id && count < 20; count += 1) {
      api.clock.at += 1_000;
      await api.get(ConsoleSessions).open(id, { device: 'curl', address: '192.0.2.1' });
    }
    expect(await rows()).toHaveLength(20);
    expect(await me(ada)).toBeNull();
  });

  it('say how long they last to those who stream', async () => {
    expect((await me(ada))?.expiresAt).toBe(api.clock.now() + 7 * 24 * HOUR);
  });
});

describe('under https', () => {
  let api: AuthApp;
  beforeAll(async () => {
    api = await bootAuth({ env: { PUBLIC_URL: 'https://countersign.example' } });
  });
  afterAll(() => api.close());

  it('the cookie is Secure, bound to the host, and the name of plain http is not believed', async () => {
    const browser = api.caller();
    const link = (await api.get(FirstOwner).invite())?.url;
    expect(link).toMatch(/^https:\/\/countersign\.example\/welcome#token=/);
    const headers = { 'x-forwarded-proto': 'https' };
    const { headers: answered } = await browser.send(
      'POST',
      '/api/auth/welcome',
      { token: tokenOf(link), name: 'Ada', password: PASSWORD },
      headers,
    );
    expect(answered.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-csn_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure$/),
    ]);
    expect((await browser.send<AuthState>('GET', '/api/auth/state')).body.me).not.toBeNull();
    browser.cookie = browser.cookie.replace('__Host-', '');
    expect((await browser.send<AuthState>('GET', '/api/auth/state')).body.me).toBeNull();
  });
});
