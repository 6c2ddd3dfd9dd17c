import { argon2Sync } from 'node:crypto';
import type { AuthState, PrincipalId } from '#contracts';
import { PrincipalDirectory } from '#platform';
import { bootAuth, PASSWORD, tokenOf, type AuthApp, type HttpCaller } from '../../../test/support/auth-app.js';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import { Callers } from './callers.js';
import { formatPhc, parsePhc } from './core/phc.js';
import { FirstOwner } from './first-owner.js';
import { LocalCallers } from './local-callers.js';
import { LoginThrottle } from './login-throttle.js';
import { Logins } from './logins.js';
import { Passwords } from './passwords.js';
import { PersonRepository } from './ports.js';
import { Tokens } from './tokens.js';

const NEW_PASSWORD = 'ten red balloons';

describe.each(engines)('signing in on %s', (_name, open) => {
  let api: AuthApp;
  let owner: HttpCaller;
  beforeEach(async () => {
    api = await bootAuth({ open });
    owner = await api.owner();
  }, 30_000);
  afterEach(() => api.close());

  const me = async (http: HttpCaller) => (await http.send<AuthState>('GET', '/api/auth/state')).body.me;
  const login = async (name: string, password: string) => api.caller().send('POST', '/api/auth/login', { name, password });

  it('takes the name in any case and form', async () => {
    for (const name of ['ada', ' ADA ', 'Ａda']) expect((await login(name, PASSWORD)).status).toBe(200);
  });

  it('says no in one way, with one look-up and one hash, whatever is wrong', async () => {
    const { info } = await api.person(owner, 'Olga', ['viewer']);
    await owner.send('PATCH', `/api/people/${info.id}`, { disabled: true });
    const people = api.get(PersonRepository);
    const passwords = api.get(Passwords);
    const [findLogin, fits] = [people.findLogin.bind(people), passwords.fits.bind(passwords)];
    const work: string[] = [];
    people.findLogin = (key) => (work.push('look'), findLogin(key));
    passwords.fits = (password, stored) => (work.push('hash'), fits(password, stored));
    const answers = [];
    for (const [name, password] of [
      ['Ada', 'wrong password'],
      ['Nobody', PASSWORD],
      ['Olga', PASSWORD],
      ['\u202e', PASSWORD],
      ['Ada', ''],
    ] as const) {
      const { status, body } = await login(name, password);
      answers.push({ status, ...body.error });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, code: 'CREDENTIALS_INVALID', details: {} });
    expect(work).toEqual(Array.from({ length: 5 }, () => ['look', 'hash']).flat());
  });

  it('takes about as long for a name that does not exist', async () => {
    const passwords = api.get(Passwords);
    const stored = await passwords.hash(PASSWORD);
    const time = async (hash: string | undefined): Promise<number> => {
      const times = [];
      for (let index = 0; index < 7; index += 1) {
        const from = performance.now();
        await passwords.fits('wrong password', hash);
        times.push(performance.now() - from);
      }
      return Math.min(...times);
    };
    const [known, unknown] = [await time(stored), await time(undefined)];
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });

  it('lets five tries pass, then makes this address wait for this name, longer each time', async () => {
    const statuses = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await login('Ada', 'wrong password')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const { status, body, headers } = await login('Ada', PASSWORD);
    expect([status, body.error.code, body.error.details]).toEqual([429, 'RATE_LIMITED', { retryAfterSeconds: 1 }]);
    expect(headers.get('retry-after')).toBe('1');
    expect((await login('Grace', PASSWORD)).status).toBe(401);
    api.clock.at += 1_000;
    expect((await login('Ada', 'wrong password')).status).toBe(401);
    expect((await login('Ada', PASSWORD)).body.error.details).toEqual({ retryAfterSeconds: 2 });
    api.clock.at += 2_000;
    expect((await login('Ada', PASSWORD)).status).toBe(200);
    expect((await login('Ada', 'wrong password')).status).toBe(401);
  });

  it('lets no more pass when they come at once', async () => {
    const tries = await Promise.all(Array.from({ length: 20 }, () => login('Ada', 'wrong password')));
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('hashes a password anew when its hash is cheaper than today’s', async () => {
    const people = api.get(PersonRepository);
    const stored = async () => (await people.findLogin('ada'))?.passwordHash ?? '';
    const before = await stored();
    expect(parsePhc(before)).toMatchObject({ memory: 32_768, passes: 2, lanes: 1 });
    const salt = Buffer.alloc(16, 1);
    const tag = argon2Sync('argon2id', { message: PASSWORD, nonce: salt, memory: 64, passes: 1, parallelism: 1, tagLength: 32 });
    const cheap = formatPhc({ memory: 64, passes: 1, lanes: 1, salt, tag });
    const id = (await me(owner))?.id as PrincipalId;
    expect(await api.db.transaction().execute((tx) => people.changePassword(tx, id, before, cheap, 1))).toBe(true);
    expect((await login('Ada', 'wrong password')).status).toBe(401);
    expect(await stored()).toBe(cheap);
    expect((await login('Ada', PASSWORD)).status).toBe(200);
    expect(parsePhc(await stored())).toMatchObject({ memory: 32_768, passes: 2 });
    expect((await login('Ada', PASSWORD)).status).toBe(200);
  });

  describe('a password', () => {
    it('changes with the current one; other sessions end, this one goes on', async () => {
      const other = api.caller();
      await other.login('Ada');
      const change = (current: string, password: string) => owner.send('POST', '/api/auth/password', { current, password });
      expect((await change('wrong password', NEW_PASSWORD)).body.error.details).toEqual({ path: 'current' });
      expect((await change(PASSWORD, 'short')).body.error.details).toEqual({ path: 'password' });
      expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(204);
      expect([await me(other), (await me(owner))?.name]).toEqual([null, 'Ada']);
      expect([(await login('Ada', PASSWORD)).status, (await login('Ada', NEW_PASSWORD)).status]).toEqual([401, 200]);
    });

    it('is set by an administrator for somebody who lost theirs, and their sessions end', async () => {
      const { info, http } = await api.person(owner, 'Olga', ['operator']);
      const reset = (id: string) => owner.send('POST', `/api/people/${id}/password`, { password: NEW_PASSWORD });
      expect((await reset(info.id)).status).toBe(204);
      expect(await me(http)).toBeNull();
      expect((await login('Olga', NEW_PASSWORD)).status).toBe(200);
      expect((await reset('01920000-0000-7000-8000-000000000001')).body.error.code).toBe('PERSON_NOT_FOUND');
      const own = await reset((await me(owner))?.id ?? '');
      expect([own.status, own.body.error.code]).toEqual([400, 'INPUT_INVALID']);
    });

    it('of the owner can be set from the command line', async () => {
      const id = (await me(owner))?.id as PrincipalId;
      await api.get(Logins).reset(api.get(LocalCallers).commandLine(), id, NEW_PASSWORD);
      expect((await login('Ada', NEW_PASSWORD)).status).toBe(200);
    });
  });

  it('is over for a stream when the session is, though the person is not', async () => {
    const secret = owner.cookie.split('=')[1] ?? '';
    const identified = await api.get(Callers).bySession(secret);
    const directory = api.get(PrincipalDirectory);
    const copy = { ...(identified?.principal ?? never()) };
    expect(await directory.recheck(copy)).toMatchObject({ name: 'Ada', channel: 'console' });
    expect(JSON.parse(JSON.stringify(copy))).not.toHaveProperty('hash');
    await owner.send('POST', '/api/auth/logout');
    expect(await directory.recheck(copy)).toBeUndefined();
    expect(await directory.find(copy.id)).toMatchObject({ name: 'Ada' });
  });
});

describe('the throttle', () => {
  let api: AuthApp;
  beforeAll(async () => {
    api = await bootAuth();
  });
  afterAll(() => api.close());

  it('stays small, whoever comes', () => {
    const throttle = api.get(LoginThrottle);
    for (let index = 0; index < 20_000; index += 1)
      throttle.begin(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, `name ${index}`);
    expect(throttle.size).toBeLessThanOrEqual(3 * 4_096);
  });

  it('counts an IPv6 network as one address', () => {
    const throttle = api.get(LoginThrottle);
    const tries = (address: (index: number) => string) => {
      for (let index = 0; index < 6; index += 1) throttle.begin(address(index), `v6 ${address(0)}`);
    };
    expect(() => tries((index) => `2001:db8:1:2::${index}`)).toThrow('Too many tries');
    expect(() => tries((index) => `2001:db8:1:2:${index}:0:0:1`)).toThrow('Too many tries');
    expect(() => tries((index) => `2001:db8:3:${index}::1`)).not.toThrow();
    expect(() => tries((index) => `::ffff:10.9.8.${index}`)).not.toThrow();
  });
});

describe('what is logged', () => {
  verifies('auth:no-secret-in-logs', async () => {
    const api = await bootAuth();
    try {
      const link = tokenOf((await api.get(FirstOwner).invite())?.url);
      const first = await api.get(Tokens).createFirst();
      const browser = api.caller();
      await browser.welcome('A'.repeat(43));
      await browser.welcome(link);
      await api.caller().login('Ada', 'some wrong words');
      await browser.send('POST', '/api/auth/login', { name: 'Ada', password: 7 });
      await browser.send('POST', '/api/auth/logout', undefined, { 'x-csrf-token': 'forged' });
      const made = await browser.send<{ secret: string }>('POST', '/api/tokens', { name: 'bot' });
      await api.caller(made.body.secret).send('GET', '/api/tokens');
      await api.caller(`csn_${'B'.repeat(43)}`).send('GET', `/api/tokens?access_token=csn_${'C'.repeat(43)}`);
      await api.caller('nonsense').send('GET', '/api/people');
      await browser.send('POST', '/api/people', { name: 'Olga', password: PASSWORD, roles: ['viewer'] });
      await browser.send('POST', '/api/auth/logout');
      const secrets = [
        link,
        first?.secret,
        made.body.secret,
        browser.csrf,
        PASSWORD,
        'some wrong words',
        'A'.repeat(43),
        'B'.repeat(43),
        'C'.repeat(43),
      ];
      const log = api.logs.join('');
      expect(api.logs.length).toBeGreaterThan(8);
      expect(secrets.filter((secret) => secret !== undefined && log.includes(secret))).toEqual([]);
      expect(log).not.toMatch(/csn_|argon2|Bearer |token=/);
    } finally {
      await api.close();
    }
  });
});

function never(): never {
  throw new Error('It should be there');
}
