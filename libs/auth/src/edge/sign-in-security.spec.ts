import type { AccountLink, AuthState, CreatedToken } from '#contracts';
import { bootAuth, PASSWORD, tokenOf, type AuthApp, type HttpCaller } from '../../../../test/support/auth-app.js';
import { engines } from '../../../../test/support/engines.js';
import { EventReader } from '../../../../test/support/event-source.js';

const WRITES = [
  ['POST', '/api/people/invites', { roles: ['viewer'] }],
  ['PATCH', '/api/people/sign-in-rules', { secondFactorRoles: [] }],
  ['POST', '/api/auth/factors/totp', {}],
  ['POST', '/api/auth/sessions/end-others', {}],
  ['POST', '/api/auth/step-up', { method: 'password', password: PASSWORD }],
  ['POST', '/api/tokens', { name: 'bot' }],
] as const;

interface Failed {
  readonly error: { readonly code: string };
}

/** The field reports about signing in; each name says which. */
describe.each(engines)('signing in holds on %s', (_name, open) => {
  let api: AuthApp;
  let owner: HttpCaller;
  beforeAll(async () => {
    api = await bootAuth({ open });
    owner = await api.owner();
  }, 30_000);
  afterAll(() => api.close());

  it('B51: a token in an address opens nothing, and reaches no log', async () => {
    const { secret } = (await owner.send<CreatedToken>('POST', '/api/tokens', { name: 'watcher' })).body;
    for (const key of ['token', 'access_token', 'authorization']) {
      expect((await api.caller().send('GET', `/api/events?${key}=${secret}`)).status).toBe(401);
    }
    expect(api.logs.join('\n')).not.toContain(secret);
    const stream = await EventReader.open(`${api.url}/api/events`, { authorization: `Bearer ${secret}` });
    await stream.close();
  });

  it('B52: every write with the cookie needs the CSRF token of that very session, before its body is looked at', async () => {
    const other = api.caller();
    await other.login('Ada');
    for (const [method, path, body] of WRITES) {
      for (const csrf of ['', other.csrf, 'A'.repeat(43)]) {
        const browser = api.caller();
        browser.cookie = owner.cookie;
        const answer = await browser.send<Failed>(method, path, body, { 'x-csrf-token': csrf });
        expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'CSRF_INVALID']);
      }
    }
  });

  it('B52: a page elsewhere signs nobody in: foreign origin, foreign host, a form, plain text', async () => {
    const login = (headers: Record<string, string>, body = JSON.stringify({ name: 'Ada', password: PASSWORD })) =>
      fetch(`${api.url}/api/auth/login`, { method: 'POST', headers, body });
    const json = { 'content-type': 'application/json' };
    expect((await login({ ...json, origin: 'https://evil.example' })).status).toBe(403);
    expect((await login({ 'content-type': 'text/plain' })).status).toBe(415);
    expect((await login({ 'content-type': 'application/x-www-form-urlencoded' }, 'name=Ada')).status).toBe(415);
    expect((await login(json)).status).toBe(200);
  });

  it('B06: an approve link does not exist: a GET with any link of ours changes nothing and answers no secret', async () => {
    const { url, id } = (await owner.send<AccountLink>('POST', '/api/people/invites', { roles: ['viewer'] })).body;
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${api.url}/api/auth/invite?token=${tokenOf(url)}`, { method });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    const { items } = (await owner.send<{ items: { id: string }[] }>('GET', '/api/people/invites')).body;
    expect(items.map((invite) => invite.id)).toContain(id);
    expect(new URL(url).search).toBe('');
  });

  it('B41: looking at a link any number of times, as scanners do, does not use it up', async () => {
    const { url } = (await owner.send<AccountLink>('POST', '/api/people/invites', { roles: ['viewer'] })).body;
    for (let count = 0; count < 3; count += 1) {
      expect((await api.caller().send('POST', '/api/auth/link', { token: tokenOf(url) })).status).toBe(200);
    }
    expect((await api.caller().send('POST', '/api/auth/invite', { token: tokenOf(url), name: 'Scanned', password: PASSWORD })).status).toBe(
      200,
    );
  });

  it('B54: two browsers of one person share nothing: another CSRF token, another step-up, another end', async () => {
    const [one, two] = [api.caller(), api.caller()];
    await one.login('Ada');
    await two.login('Ada');
    expect([one.cookie === two.cookie, one.csrf === two.csrf]).toEqual([false, false]);
    await one.send('POST', '/api/auth/logout');
    expect((await two.send<AuthState>('GET', '/api/auth/state')).body.me?.name).toBe('Ada');
    expect((await one.send<AuthState>('GET', '/api/auth/state')).body.me).toBeNull();
  });

  it('a session that was planted before a sign-in is not the one after it', async () => {
    const victim = api.caller();
    const planted = `csn_session=${'A'.repeat(43)}`;
    victim.cookie = planted;
    await victim.login('Ada');
    expect(victim.cookie).not.toBe(planted);
    const attacker = api.caller();
    attacker.cookie = planted;
    expect((await attacker.send<AuthState>('GET', '/api/auth/state')).body.me).toBeNull();
    // The session of an attacker, left in the browser of a victim who signs in, ends there.
    const theirs = api.caller();
    await theirs.login('Ada');
    const before = theirs.cookie;
    await theirs.login('Ada');
    attacker.cookie = before;
    expect((await attacker.send<AuthState>('GET', '/api/auth/state')).body.me).toBeNull();
  });

  it('the cookie is for this host, for HTTP alone and for the same site, and goes at sign-out', async () => {
    const sign = await fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', password: PASSWORD }),
    });
    expect(sign.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^csn_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/),
    ]);
    const browser = api.caller();
    await browser.login('Ada');
    const out = await browser.send('POST', '/api/auth/logout');
    expect(out.headers.getSetCookie()).toEqual(['csn_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0']);
  });

  it('no answer tells a name that exists from one that does not', async () => {
    const answerOf = async (name: string) => {
      const { status, body } = await api.caller().send<Failed>('POST', '/api/auth/login', { name, password: 'no password of anybody' });
      return JSON.stringify([status, body]);
    };
    expect(await answerOf('Ada')).toBe(await answerOf('Nobody'));
    const over = async (token: string) => (await api.caller().send<Failed>('POST', '/api/auth/link', { token })).body;
    expect(await over('A'.repeat(43))).toEqual(await over('short'));
    const ticket = async (value: string) =>
      (await api.caller().send<Failed>('POST', '/api/auth/login/second', { ticket: value, method: 'totp', code: '123456' })).body.error
        .code;
    expect([await ticket('A'.repeat(43)), await ticket('B')]).toEqual(['PROOF_INVALID', 'PROOF_INVALID']);
  });

  it('who guesses from one address slows nobody else down', async () => {
    const guess = (password: string) =>
      owner.send<Failed>('POST', '/api/auth/login', { name: 'Ada', password }, { 'x-forwarded-for': '203.0.113.9' });
    let limited = 0;
    for (let count = 0; count < 8; count += 1) if ((await guess('wrong wrong wrong')).status === 429) limited += 1;
    expect(limited).toBeGreaterThan(0);
    // The person is signed in elsewhere and goes on; after the wait their own sign-in works.
    expect((await owner.send('GET', '/api/people')).status).toBe(200);
    api.clock.at += 5 * 60_000;
    expect((await api.caller().login('Ada')).status).toBe(200);
  });
});
