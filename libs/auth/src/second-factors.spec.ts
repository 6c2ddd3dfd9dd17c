import type { AuthState, CreatedToken, FactorsInfo } from '#contracts';
import { Authenticator } from '../../../test/support/authenticator.js';
import { bootAuth, PASSWORD, type AuthApp, type HttpCaller } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import { stepOf, totpAt } from './core/totp.js';

const MINUTE = 60_000;
const STEP = 30_000;
const SITE = 'https://countersign.example';

interface Failed {
  readonly error: { readonly code: string; readonly details: { readonly methods?: string[] } };
}

describe.each(engines)('second factors on %s', (_name, open) => {
  let api: AuthApp;
  let owner: HttpCaller;
  beforeEach(async () => {
    api = await bootAuth({ open, env: { PUBLIC_URL: SITE } });
    owner = await api.owner();
  }, 30_000);
  afterEach(() => api.close());

  const call = <T = unknown>(by: HttpCaller, method: string, path: string, body?: object) =>
    by.send<T & Failed>(method, `/api/auth/${path}`, body);
  const codeOf = (secret: Buffer, offset = 0) => totpAt(secret, stepOf(api.clock.now()) + offset);

  async function enrol(by: HttpCaller): Promise<{ secret: Buffer; codes: string[] }> {
    const { secret, url } = (await call<{ secret: string; url: string }>(by, 'POST', 'factors/totp')).body;
    expect(url).toContain(`secret=${secret}`);
    const bytes = fromBase32(secret);
    const confirmed = await call<{ recoveryCodes: string[] }>(by, 'POST', 'factors/totp/confirm', { code: codeOf(bytes) });
    expect(confirmed.status).toBe(200);
    api.clock.at += STEP; // so that its next code is another
    return { secret: bytes, codes: confirmed.body.recoveryCodes };
  }

  async function begin(): Promise<{ browser: HttpCaller; ticket: string; methods: readonly string[] }> {
    const browser = api.caller();
    const { body } = await browser.login('Ada');
    expect([body.me, body.csrfToken]).toEqual([null, null]);
    return { browser, ticket: body.secondFactor?.ticket ?? '', methods: body.secondFactor?.methods ?? [] };
  }
  const finish = (browser: HttpCaller, body: object) => call<AuthState>(browser, 'POST', 'login/second', body);

  verifies('auth:second-step', 'with an authenticator', async () => {
    const { secret } = await enrol(owner);
    const { browser, ticket, methods } = await begin();
    expect(methods).toEqual(['totp', 'recovery']);
    expect((await browser.send('GET', '/api/auth/sessions')).status).toBe(401);
    const code = codeOf(secret);
    expect((await finish(browser, { ticket, method: 'totp', code: '000000' })).body.error.code).toBe('PROOF_INVALID');
    expect((await finish(browser, { ticket, method: 'password', password: PASSWORD })).body.error.code).toBe('PROOF_INVALID');
    const done = await finish(browser, { ticket, method: 'totp', code });
    expect(done.body.me?.name).toBe('Ada');
    // Neither the ticket nor the code works again.
    expect((await finish(api.caller(), { ticket, method: 'totp', code: codeOf(secret, 1) })).body.error.code).toBe('PROOF_INVALID');
    const again = await begin();
    expect((await finish(again.browser, { ticket: again.ticket, method: 'totp', code })).body.error.code).toBe('PROOF_INVALID');
    expect((await finish(again.browser, { ticket: again.ticket, method: 'totp', code: codeOf(secret, 1) })).status).toBe(200);
  });

  it('take one of two uses of a code at once', async () => {
    const { secret } = await enrol(owner);
    const [one, two] = [await begin(), await begin()];
    const code = codeOf(secret);
    const tries = await Promise.all([one, two].map(({ browser, ticket }) => finish(browser, { ticket, method: 'totp', code })));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('end a ticket after five tries or five minutes, and codes from anywhere after ten wrong ones for a while', async () => {
    const { secret } = await enrol(owner);
    const first = await begin();
    for (let count = 0; count < 5; count += 1) await finish(first.browser, { ticket: first.ticket, method: 'totp', code: '000000' });
    expect((await finish(first.browser, { ticket: first.ticket, method: 'totp', code: codeOf(secret) })).status).toBe(403);
    const second = await begin();
    for (let count = 0; count < 5; count += 1) await finish(second.browser, { ticket: second.ticket, method: 'totp', code: '000000' });
    const third = await begin();
    const limited = await finish(third.browser, { ticket: third.ticket, method: 'totp', code: codeOf(secret) });
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    api.clock.at += 4 * MINUTE;
    expect((await finish(third.browser, { ticket: third.ticket, method: 'totp', code: codeOf(secret) })).status).toBe(200);
    const late = await begin();
    api.clock.at += 5 * MINUTE;
    expect((await finish(late.browser, { ticket: late.ticket, method: 'totp', code: codeOf(secret) })).status).toBe(403);
  });

  it('have recovery codes for the day without a phone, each for once', async () => {
    const { codes } = await enrol(owner);
    expect(codes).toHaveLength(10);
    const { browser, ticket } = await begin();
    expect((await finish(browser, { ticket, method: 'recovery', code: codes[3]?.toUpperCase() })).status).toBe(200);
    browser.csrf = (await call<AuthState>(browser, 'GET', 'state')).body.csrfToken ?? '';
    expect((await call<FactorsInfo>(browser, 'GET', 'factors')).body.recoveryCodes).toBe(9);
    const again = await begin();
    expect((await finish(again.browser, { ticket: again.ticket, method: 'recovery', code: codes[3] })).status).toBe(403);
    const renewed = (await call<{ recoveryCodes: string[] }>(browser, 'POST', 'factors/recovery')).body.recoveryCodes;
    expect((await finish(again.browser, { ticket: again.ticket, method: 'recovery', code: codes[4] })).status).toBe(403);
    expect((await finish(again.browser, { ticket: again.ticket, method: 'recovery', code: renewed[0] })).status).toBe(200);
  });

  verifies('auth:second-step', 'with a passkey', async () => {
    const key = new Authenticator(SITE, 'countersign.example');
    const options = (await call<{ challenge: string }>(owner, 'POST', 'factors/passkeys/options')).body;
    const made = key.make(options);
    const added = await call<{ recoveryCodes: string[] }>(owner, 'POST', 'factors/passkeys', { name: 'Laptop', response: made });
    expect([added.status, added.body.recoveryCodes.length]).toEqual([201, 10]);
    expect((await call(owner, 'POST', 'factors/passkeys', { name: 'Again', response: made })).body.error.code).toBe('PROOF_INVALID');
    const { browser, ticket, methods } = await begin();
    expect(methods).toEqual(['passkey', 'recovery']);
    const asked = async () => (await call<{ challenge: string }>(browser, 'POST', 'login/passkey', { ticket })).body;
    const foreign = new Authenticator('https://evil.example', 'countersign.example').use(await asked());
    expect((await finish(browser, { ticket, method: 'passkey', response: { ...foreign, id: made['id'], rawId: made['id'] } })).status).toBe(
      403,
    );
    const answer = key.use(await asked());
    expect((await finish(browser, { ticket, method: 'passkey', response: answer })).body.me?.name).toBe('Ada');
    const again = await begin();
    expect((await finish(again.browser, { ticket: again.ticket, method: 'passkey', response: answer })).status).toBe(403);
    const { passkeys } = (await call<FactorsInfo>(owner, 'GET', 'factors')).body;
    expect(passkeys).toMatchObject([{ name: 'Laptop', lastUsedAt: api.clock.now() }]);
    expect((await call(owner, 'DELETE', `factors/passkeys/${passkeys[0]?.id ?? ''}`)).status).toBe(204);
    expect((await api.caller().login('Ada')).body.me?.name).toBe('Ada');
  });

  it('end other sessions when the first one is set up', async () => {
    const other = api.caller();
    await other.login('Ada');
    await enrol(owner);
    expect([(await call(other, 'GET', 'sessions')).status, (await call(owner, 'GET', 'sessions')).status]).toEqual([401, 200]);
  });

  it('are removed by an administrator for somebody who lost them, with their sessions', async () => {
    const { info, http } = await api.person(owner, 'Olga', ['operator']);
    await enrol(http);
    expect((await owner.send('DELETE', `/api/people/${info.id}/factors`)).status).toBe(204);
    expect((await call(http, 'GET', 'sessions')).status).toBe(401);
    expect((await api.caller().login('Olga')).body.me?.name).toBe('Olga');
  });

  verifies('auth:factor-required', async () => {
    const { http: olga } = await api.person(owner, 'Olga', ['operator']);
    const ask = (roles: string[]) => owner.send<Failed>('PATCH', '/api/people/sign-in-rules', { secondFactorRoles: roles });
    expect((await ask(['operator'])).body.error.code).toBe('SECOND_FACTOR_MISSING');
    await enrol(owner);
    expect((await ask(['operator', 'admin'])).status).toBe(200);
    expect((await olga.send('GET', '/api/receipts')).body.error.code).toBe('SECOND_FACTOR_MISSING');
    expect((await olga.send('GET', '/api/events')).status).toBe(403);
    expect((await olga.send<AuthState>('GET', '/api/auth/state')).body.me?.proof).toMatchObject({ mustEnrol: true });
    await enrol(olga);
    expect((await olga.send('GET', '/api/receipts')).status).toBe(200);
  });

  describe('step-up', () => {
    const risky = (by: HttpCaller) => by.send<Failed>('POST', '/api/people/invites', { roles: ['viewer'] });

    verifies('auth:step-up', async () => {
      expect((await risky(owner)).status).toBe(201);
      api.clock.at += 10 * MINUTE;
      const { status, body } = await risky(owner);
      expect([status, body.error.code, body.error.details]).toEqual([
        403,
        'STEP_UP_REQUIRED',
        { methods: ['password'], withinSeconds: 600 },
      ]);
      expect((await call(owner, 'POST', 'step-up', { method: 'password', password: 'wrong' })).body.error.code).toBe('PROOF_INVALID');
      expect((await call(owner, 'POST', 'step-up', { method: 'password', password: PASSWORD })).status).toBe(200);
      expect((await risky(owner)).status).toBe(201);
    });

    it('takes the second factor of who has one, and no password', async () => {
      const { secret } = await enrol(owner);
      api.clock.at += 10 * MINUTE;
      expect((await risky(owner)).body.error.details.methods).toEqual(['totp', 'recovery']);
      expect((await call(owner, 'POST', 'step-up', { method: 'password', password: PASSWORD })).status).toBe(403);
      expect((await call(owner, 'POST', 'step-up', { method: 'totp', code: codeOf(secret) })).status).toBe(200);
      expect((await risky(owner)).status).toBe(201);
    });

    it('is asked for a token that rules, and not for one of an agent', async () => {
      api.clock.at += 10 * MINUTE;
      const make = (scopes: string[]) => owner.send<CreatedToken & Failed>('POST', '/api/tokens', { name: 'bot', scopes });
      expect((await make(['admin'])).body.error.code).toBe('STEP_UP_REQUIRED');
      expect((await make(['approvals:decide'])).body.error.code).toBe('STEP_UP_REQUIRED');
      expect((await make(['terminal:plan'])).status).toBe(201);
    });

    it('is for the one session that was proved', async () => {
      api.clock.at += 10 * MINUTE;
      const other = api.caller();
      await other.login('Ada');
      expect([(await risky(other)).status, (await risky(owner)).status]).toEqual([201, 403]);
    });
  });

  verifies('auth:no-secret-in-logs', 'of second factors', async () => {
    const { codes } = await enrol(owner);
    const { browser, ticket } = await begin();
    await finish(browser, { ticket, method: 'recovery', code: codes[0] });
    const logs = api.logs.join('\n');
    for (const secret of [ticket, codes[0] ?? '']) expect(logs).not.toContain(secret);
  });
});

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
