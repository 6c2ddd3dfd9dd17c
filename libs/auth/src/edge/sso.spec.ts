import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { AuthState, PersonInfo } from '#contracts';
import { bootAuth, type AuthApp, type HttpCaller } from '../../../../test/support/auth-app.js';

/** A real OpenID Connect provider. Whoever comes is the person that the test says. */
class Idp {
  who = { sub: 'none', email: 'none@acme.example', email_verified: true, preferred_username: 'none', groups: [] as string[] };

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(redirectUri: string): Promise<Idp> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const idp = new Idp(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, server);
    const provider: Provider = new Provider(idp.url, {
      clients: [
        { client_id: 'countersign', client_secret: 'a secret of the provider', redirect_uris: [redirectUri], response_types: ['code'] },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...idp.who, sub: id }) }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({ clientId: oidc.client?.clientId ?? '', accountId: oidc.session?.accountId ?? '' });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/'))
        void provider.interactionFinished(request, response, { login: { accountId: idp.who.sub } });
      else void answer(request, response);
    });
    return idp;
  }

  /** The way of the browser through the provider: the query that it comes back with. */
  async visit(url: string): Promise<string> {
    const jar = new Map<string, string>();
    let next = new URL(url);
    for (let step = 0; step < 6; step += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [pair = ''] = set.split(';');
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      next = new URL(response.headers.get('location') ?? 'none:', next);
      if (next.pathname === '/sso') return next.search;
    }
    throw new Error('The provider did not send the browser back');
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const PORT = 7_331;
const URL_HERE = `http://127.0.0.1:${String(PORT)}`;
let idp: Idp;
let api: AuthApp;
let ada: HttpCaller;
const settings: Record<string, string> = {};
beforeAll(async () => {
  idp = await Idp.start(`${URL_HERE}/sso`);
  Object.assign(settings, {
    OIDC_ISSUER: idp.url,
    OIDC_CLIENT_ID: 'countersign',
    OIDC_CLIENT_SECRET: 'a secret of the provider',
    OIDC_ALLOWED_DOMAINS: 'acme.example',
    OIDC_ROLES: 'ops=operator,boss=admin',
    OIDC_LABEL: 'Acme',
  });
  Object.assign(process.env, settings);
  api = await bootAuth({ env: { PORT: String(PORT), EGRESS_PRIVATE_HOSTS: new URL(idp.url).host } });
  for (const key of Object.keys(settings)) Reflect.deleteProperty(process.env, key);
  ada = await api.owner();
}, 60_000);
afterAll(async () => {
  await api.close();
  idp.close();
});

function is(name: string, more: Partial<Idp['who']> = {}): void {
  idp.who = { sub: `sub-${name}`, email: `${name}@acme.example`, email_verified: true, preferred_username: name, groups: ['ops'], ...more };
}

interface Finished {
  readonly status: number;
  readonly body: AuthState & { readonly error: { code: string; message: string } };
}

/** A browser that goes to the provider and comes back. */
async function come(
  browser = api.caller(),
  at: 'begin' | 'link' = 'begin',
): Promise<{ answer: Finished; browser: HttpCaller; query: string; kept: string }> {
  const session = browser.cookie;
  const begun = await browser.send<{ url: string }>('POST', `/api/auth/sso/${at}`, {});
  const kept = browser.cookie;
  browser.cookie = session;
  const query = await idp.visit(begun.body.url);
  return { answer: await finish(browser, query, kept), browser, query, kept };
}

async function finish(browser: HttpCaller, query: string, kept: string): Promise<Finished> {
  const cookie = [browser.cookie, kept].filter((part) => part !== '').join('; ');
  const response = await fetch(`${api.url}/api/auth/sso/finish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ query }),
  });
  const session = response.headers.getSetCookie().find((set) => set.startsWith('csn_session='));
  if (session !== undefined) browser.cookie = session.split(';', 1)[0] ?? '';
  return { status: response.status, body: (await response.json()) as Finished['body'] };
}

it('says on the sign-in page that there is another way', async () => {
  expect((await api.caller().send<AuthState>('GET', '/api/auth/state')).body.sso).toBe('Acme');
});

it('lets a person of the provider in with the roles that it gives, now and at the next time', async () => {
  is('grace');
  const first = await come();
  expect([first.answer.status, first.answer.body.me?.name, first.answer.body.me?.roles]).toEqual([200, 'grace', ['operator']]);
  is('grace', { groups: ['ops', 'boss'], preferred_username: 'renamed' });
  const again = await come();
  expect([again.answer.body.me?.id, again.answer.body.me?.name, again.answer.body.me?.roles]).toEqual([
    first.answer.body.me?.id,
    'grace',
    ['operator', 'admin'],
  ]);
  is('grace', { groups: [] });
  expect((await come()).answer.body.error.code).toBe('SSO_FAILED');
});

it('takes no account over by its name or address, and links one only from inside', async () => {
  is('Ada');
  expect((await come()).answer.body.error.code).toBe('SSO_FAILED');
  const linked = await come(ada, 'link');
  expect([linked.answer.status, linked.answer.body.me?.name]).toEqual([200, 'Ada']);
  expect((await come()).answer.body.me).toMatchObject({ name: 'Ada', roles: ['admin'] });
  const { http: bob } = await api.person(ada, 'Bob', ['viewer']);
  expect((await come(bob, 'link')).answer.body.error.code).toBe('SSO_FAILED');
});

it('finishes a link only where it was begun by the same person', async () => {
  const { http: cleo } = await api.person(ada, 'Cleo', ['viewer']);
  is('cleo-at-work');
  const session = cleo.cookie;
  const begun = await cleo.send<{ url: string }>('POST', '/api/auth/sso/link', {});
  const kept = cleo.cookie;
  cleo.cookie = session;
  const query = await idp.visit(begun.body.url);
  expect((await finish(api.caller(), query, kept)).body.error.code).toBe('SSO_FAILED');
});

it('keeps disabled people, strangers without a role and addresses of others out', async () => {
  is('dora');
  const { answer } = await come();
  const people = await ada.send<{ items: PersonInfo[] }>('GET', '/api/people');
  expect(people.body.items.some(({ name }) => name === 'dora')).toBe(true);
  await ada.send('PATCH', `/api/people/${answer.body.me?.id ?? ''}`, { disabled: true });
  expect((await come()).answer.body.error.code).toBe('SSO_FAILED');
  is('nobody', { groups: ['others'] });
  expect((await come()).answer.body.error.code).toBe('SSO_FAILED');
  is('eve', { email: 'eve@evil.example' });
  expect((await come()).answer.body.error.code).toBe('SSO_FAILED');
  is('eve', { email_verified: false });
  expect((await come()).answer.body.error.code).toBe('SSO_FAILED');
});

it('takes no answer twice, none of another browser, none that was changed, and none too late', async () => {
  is('hal');
  const { answer, query, kept } = await come();
  expect(answer.status).toBe(200);
  expect((await finish(api.caller(), query, kept)).body.error.code).toBe('SSO_FAILED');
  const begin = async () => {
    const browser = api.caller();
    const { body } = await browser.send<{ url: string }>('POST', '/api/auth/sso/begin', {});
    return { query: await idp.visit(body.url), kept: browser.cookie };
  };
  const [one, other] = [await begin(), await begin()];
  for (const [given, cookie] of [
    [one.query, other.kept],
    [one.query, ''],
    [one.query.replace(/state=[^&]+/, 'state=x'), one.kept],
    [one.query.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example'), one.kept],
    [one.query, one.kept.slice(0, -8)],
  ] as const) {
    expect((await finish(api.caller(), given, cookie)).body.error.code).toBe('SSO_FAILED');
  }
  api.clock.at += 11 * 60_000;
  expect((await finish(api.caller(), other.query, other.kept)).body.error.code).toBe('SSO_FAILED');
});

it('writes no code and no secret into the log', () => {
  expect(api.logs.join('\n')).not.toContain('a secret of the provider');
});
