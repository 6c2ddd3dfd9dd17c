import { request } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import { sql } from 'kysely';
import type { Principal, TokenInfo, WorkspaceId } from '#contracts';
import { Caller, SignedIn } from '#platform';
import { bootAuth, type AuthApp, type HttpCaller } from '../../../../test/support/auth-app.js';
import { engines } from '../../../../test/support/engines.js';
import { OauthClient } from '../../../../test/support/oauth.js';
import { OauthEnds } from '../oauth-ends.js';

/** Doors at the addresses of the protocol that say who calls. */
@Controller()
@SignedIn()
class Mounts {
  @Get(['mcp', 'mcp/terminal'])
  who(@Caller() { id, name, scopes, workspaceScopes, channel }: Principal): object {
    return { id, name, scopes, workspaceScopes, channel };
  }
}

let api: AuthApp;
let ada: HttpCaller;
beforeAll(async () => {
  api = await bootAuth({ controllers: [Mounts] });
  ada = await api.owner();
}, 60_000);
afterAll(() => api.close());

const as = (token: string, path = '/mcp') =>
  api.caller(token).send<{ id: string; name: string; scopes: string[]; error: { code: string } }>('GET', path);

it('lets a client act for a person who said yes, at the one address that was meant', async () => {
  const client = new OauthClient(api.url);
  const { access_token, scope } = await client.signIn(ada, ['terminal:plan', 'receipts:read']);
  expect(scope.split(' ').sort()).toEqual(['receipts:read', 'terminal:plan']);
  expect((await as(access_token)).body).toMatchObject({ name: 'Test client', scopes: ['terminal:plan', 'receipts:read'], channel: 'mcp' });
  expect((await as(access_token, '/mcp/terminal')).status).toBe(401);
  expect((await as(access_token, '/api/people')).status).toBe(401);
  const { body } = await ada.send<{ items: TokenInfo[] }>('GET', '/api/tokens');
  expect(body.items.find(({ name }) => name === 'Test client')).toMatchObject({
    client: { id: client.clientId, host: '127.0.0.1:9', resource: `${api.url}/mcp` },
    scopes: ['terminal:plan', 'receipts:read'],
  });
});

describe('what must not work', () => {
  let registered: string;
  beforeAll(async () => {
    const client = new OauthClient(api.url);
    await client.register();
    registered = client.clientId;
  });

  /** The same client each time: registrations are counted. */
  const a = (): OauthClient => Object.assign(new OauthClient(api.url), { clientId: registered });

  it('does not send a browser to an address that the client did not register', async () => {
    const client = a();
    for (const redirectUri of [
      'https://evil.example/callback',
      'http://127.0.0.1:9/other',
      'http://127.0.0.1:9/callback/../x',
      'javascript:alert(1)',
    ]) {
      const answer = await client.go(client.authorizeUrl({ redirectUri }));
      expect([redirectUri, answer.status, answer.headers.get('location')]).toEqual([redirectUri, 400, null]);
    }
  });

  it('gives a code for one use, and ends everything when it comes twice', async () => {
    const client = a();
    const code = await client.code(ada, ['terminal:plan']);
    const first = await client.exchange(code);
    expect(first.status).toBe(200);
    expect((await as(first.body.access_token)).status).toBe(200);
    expect((await client.exchange(code)).body.error).toBe('invalid_grant');
    expect((await as(first.body.access_token)).status).toBe(401);
    expect((await client.refresh(first.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('lets one of many uses of a code at once win', async () => {
    const client = a();
    const code = await client.code(ada, ['terminal:plan']);
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.exchange(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('wants PKCE with S256 and the right verifier', async () => {
    const client = a();
    for (const change of [{ code_challenge_method: 'plain' }, { code_challenge: '' }, { code_challenge_method: '', code_challenge: '' }]) {
      const url = client.authorizeUrl();
      for (const [name, value] of Object.entries(change)) {
        if (value === '') url.searchParams.delete(name);
        else url.searchParams.set(name, value);
      }
      const answer = await client.go(url);
      expect(new URL(answer.headers.get('location') ?? 'none:').searchParams.get('error')).toBe('invalid_request');
    }
    const code = await client.code(ada, ['terminal:plan']);
    expect((await client.exchange(code, { code_verifier: 'a'.repeat(43) })).body.error).toBe('invalid_grant');
  });

  it('gives a token for one address, and none for an address of others', async () => {
    const client = a();
    const elsewhere = await client.go(client.authorizeUrl({ resource: 'https://other.example/mcp' }));
    expect(new URL(elsewhere.headers.get('location') ?? 'none:').searchParams.get('error')).toBe('invalid_target');
    const code = await client.code(ada, ['terminal:plan'], { resource: `${api.url}/mcp/terminal` });
    expect((await client.exchange(code, { resource: `${api.url}/mcp` })).body.error).toBe('invalid_target');
    const { access_token } = await client.signIn(ada, ['terminal:plan'], { resource: `${api.url}/mcp/terminal` });
    expect((await as(access_token, '/mcp/terminal')).status).toBe(200);
    expect((await as(access_token, '/mcp')).status).toBe(401);
  });

  it('takes no consent without the token of the page, from another browser, or from a stranger', async () => {
    const client = a();
    const uid = await client.begin({ scope: 'terminal:plan' });
    const csrf = await ada.send(
      'POST',
      `/api/consents/${uid}/give`,
      { scopes: ['terminal:plan'] },
      { cookie: `${ada.cookie}; ${client.jar.header}`, 'x-csrf-token': '' },
    );
    expect(csrf.body.error.code).toBe('CSRF_INVALID');
    const elsewhere = await ada.send('POST', `/api/consents/${uid}/give`, { scopes: ['terminal:plan'] });
    expect(elsewhere.body.error.code).toBe('CONSENT_OVER');
    expect((await api.caller().send('POST', `/api/consents/${uid}/give`, { scopes: ['terminal:plan'] })).status).toBe(401);
    const form = await ada.send('POST', `/api/consents/${uid}/give`, undefined, { 'content-type': 'text/plain', 'content-length': '0' });
    expect(form.status).toBeGreaterThanOrEqual(400);
  });

  it('does not finish in a browser that did not begin', async () => {
    const client = a();
    const uid = await client.begin({ scope: 'terminal:plan' });
    const { body } = await client.give(ada, uid, ['terminal:plan']);
    expect((await fetch(body.url, { redirect: 'manual' })).status).toBe(400);
    expect((await client.end(body.url)).searchParams.get('code')).not.toBeNull();
  });

  it('gives nothing that was not asked for, that the person lacks, or that rules', async () => {
    const { http: bob } = await api.person(ada, 'Bob', ['operator']);
    const client = a();
    const uid = await client.begin({ scope: 'terminal:plan approvals:decide admin' });
    const { body } = await client.look(bob, uid);
    expect(body.scopes).toEqual([
      { scope: 'terminal:plan', isGrantable: true, isPreset: true },
      { scope: 'approvals:decide', isGrantable: false, isPreset: false },
    ]);
    expect((await client.give(bob, uid, ['approvals:decide'])).status).toBe(403);
    expect((await client.give(ada, uid, ['admin'])).status).toBe(400);
    expect((await client.give(ada, uid, ['receipts:read'])).status).toBe(400);
    expect((await client.give(bob, uid, [])).status).toBe(400);
  });

  it('gives what decides only by an administrator who has just proved that it is them', async () => {
    const client = a();
    const uid = await client.begin({ scope: 'terminal:plan approvals:decide' });
    api.clock.at += 11 * 60_000;
    // its consent is over by now; a new one begins
    const again = await client.begin({ scope: 'terminal:plan approvals:decide' });
    expect(again).not.toBe(uid);
    const refused = await client.at<{ error: { code: string } }>(ada, 'POST', `/api/consents/${again}/give`, {
      scopes: ['approvals:decide'],
    });
    expect(refused.body.error.code).toBe('STEP_UP_REQUIRED');
    await ada.login('Ada');
    expect((await client.give(ada, again, ['approvals:decide'])).status).toBe(200);
  });

  it('takes a refusal back to the client, with the issuer in it', async () => {
    const client = a();
    const uid = await client.begin({ scope: 'terminal:plan' });
    const { body } = await client.at<{ url: string }>(ada, 'POST', `/api/consents/${uid}/refuse`, {});
    const back = await client.end(body.url);
    expect([back.searchParams.get('error'), back.searchParams.get('iss'), back.searchParams.get('state')]).toEqual([
      'access_denied',
      `${api.url}/oauth`,
      'state',
    ]);
  });

  it('renews a token once, and ends the sign-in when a spent one comes again', async () => {
    const client = a();
    const first = await client.signIn(ada, ['terminal:plan']);
    const second = await client.refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect((await as(second.body.access_token)).status).toBe(200);
    expect((await client.refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await as(second.body.access_token)).status).toBe(401);
    expect((await client.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends a grant that its person revokes, at once and for renewals too', async () => {
    const client = a();
    const tokens = await client.signIn(ada, ['terminal:plan']);
    const { id } = (await as(tokens.access_token)).body;
    expect((await ada.send('DELETE', `/api/tokens/${id}`)).status).toBe(204);
    expect((await as(tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends what a disabled person gave', async () => {
    const { info, http } = await api.person(ada, 'Cleo', ['operator']);
    const client = a();
    const tokens = await client.signIn(http, ['terminal:plan']);
    await ada.send('PATCH', `/api/people/${info.id}`, { disabled: true });
    expect((await as(tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('keeps the caller the same when it asks for more, and narrows an older token with a newer consent', async () => {
    const client = a();
    const first = await client.signIn(ada, ['terminal:plan', 'receipts:read']);
    const more = await client.signIn(ada, ['terminal:plan', 'terminal:execute']);
    const [before, after] = [await as(first.access_token), await as(more.access_token)];
    expect(before.body.id).toBe(after.body.id);
    expect([before.body.scopes, after.body.scopes]).toEqual([['terminal:plan'], ['terminal:plan', 'terminal:execute']]);
  });

  it('binds a grant to the workspaces that were ticked', async () => {
    const workspace = '01920000-0000-7000-8000-000000000001' as WorkspaceId;
    const client = a();
    const { access_token } = await client.signIn(ada, ['terminal:plan', 'receipts:read'], {}, [workspace]);
    expect((await as(access_token)).body).toMatchObject({
      scopes: ['receipts:read'],
      workspaceScopes: { [workspace]: ['terminal:plan', 'receipts:read'] },
    });
  });

  it('registers only addresses that a sign-in may end at, without a secret and without scopes', async () => {
    const client = new OauthClient(api.url);
    for (const uri of [
      'http://evil.example/cb',
      'javascript:alert(1)',
      'https://a.example/#x',
      'https://user:pw@a.example/',
      'https://*.example/',
      'file:///etc/passwd',
    ]) {
      expect([uri, (await client.register({ redirect_uris: [uri] })).status]).toEqual([uri, 400]);
    }
    expect((await client.register({ redirect_uris: [] })).status).toBe(400);
    const sneaky = {
      scope: 'admin',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      client_id: 'mine',
      jwks_uri: 'http://169.254.169.254/',
    };
    const made = (await (await client.register(sneaky)).json()) as Record<string, unknown>;
    expect(made).toMatchObject({ token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'] });
    expect([made['client_id'] === 'mine', made['scope'], made['client_secret'], made['jwks_uri']]).toEqual([
      false,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('stops a flood of registrations, and bodies that are too long', async () => {
    const other = await bootAuth({ controllers: [Mounts] });
    try {
      const client = new OauthClient(other.url);
      const statuses: number[] = [];
      for (let n = 0; n < 25; n += 1) statuses.push((await client.register()).status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(20);
      expect(statuses.slice(20)).toEqual([429, 429, 429, 429, 429]);
      other.clock.at += 61 * 60_000;
      expect((await client.register({ client_name: 'x'.repeat(9_000) })).status).toBe(400);
    } finally {
      await other.close();
    }
  });

  it.each(['https://169.254.169.254/client.json', 'https://127.0.0.1/c.json', 'https://10.0.0.1/c.json', 'https://[::1]/c.json'])(
    'does not fetch the document of a client at %s',
    async (id) => {
      const client = new OauthClient(api.url);
      client.clientId = id;
      const answer = await client.go(client.authorizeUrl());
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    },
  );

  it('takes no token in an address, and says on every page that nothing may frame it', async () => {
    const client = a();
    const { access_token, refresh_token } = await client.signIn(ada, ['terminal:plan']);
    expect((await api.caller().send('GET', `/mcp?access_token=${access_token}`)).status).toBe(401);
    expect((await fetch(`${api.url}/oauth/token?refresh_token=${refresh_token}`, { method: 'POST' })).status).toBe(400);
    const page = await fetch(`${api.url}/oauth/auth?client_id=none`);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toContain('no-store');
  });

  it('writes no code, token or verifier into the log, and no secret into the database', async () => {
    const client = a();
    const code = await client.code(ada, ['terminal:plan']);
    const { body } = await client.exchange(code);
    const kept =
      JSON.stringify(await sql`select * from oauth_artifacts`.execute(api.db)) +
      JSON.stringify(await sql`select * from oauth_grants`.execute(api.db));
    for (const secret of [code, client.verifier, body.access_token, body.refresh_token]) {
      expect(kept).not.toContain(secret);
      expect(api.logs.join('\n')).not.toContain(secret);
    }
  });

  it('shows an error instead of what a stranger wrote', async () => {
    const answer = await fetch(`${api.url}/oauth/auth?client_id=${encodeURIComponent('<script>alert(1)</script>')}`);
    expect(await answer.text()).not.toContain('<script>');
  });

  it('sets its cookies so that no script and no other site has them', async () => {
    const client = a();
    const started = await client.go(client.authorizeUrl());
    const cookies = started.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/^csn_oauth_\w+(\.sig)?=.*path=\/(api\/consents|oauth).*samesite=lax.*httponly/i);
  });
});

describe('where clients look', () => {
  const json = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await fetch(api.url + path);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it.each(['', '/mcp', '/mcp/terminal', '/mcp/relay', '/mcp/connector'])('finds the metadata of the resource "%s"', async (path) => {
    const { status, body } = await json(`/.well-known/oauth-protected-resource${path}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      resource: `${api.url}${path === '' ? '/mcp' : path}`,
      authorization_servers: [`${api.url}/oauth`],
      bearer_methods_supported: ['header'],
    });
    expect(body['scopes_supported']).not.toContain('approvals:decide');
    expect(body['scopes_supported']).not.toContain('offline_access');
  });

  it.each([
    '/.well-known/oauth-authorization-server/oauth',
    '/.well-known/openid-configuration/oauth',
    '/oauth/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
  ])('finds the metadata of the authorization server at %s', async (path) => {
    expect((await json(path)).body).toMatchObject({
      issuer: `${api.url}/oauth`,
      authorization_endpoint: `${api.url}/oauth/auth`,
      token_endpoint: `${api.url}/oauth/token`,
      registration_endpoint: `${api.url}/oauth/reg`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it.each(['/.well-known/oauth-protected-resource/api', '/.well-known/oauth-authorization-server/other'])(
    'finds nothing at %s',
    async (path) => {
      expect((await json(path)).status).toBe(404);
    },
  );

  it('is told by a refusal where to look and what to ask for', async () => {
    const refused = await fetch(`${api.url}/mcp/terminal`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="countersign", scope="terminal:plan terminal:execute receipts:read", resource_metadata="${api.url}/.well-known/oauth-protected-resource/mcp/terminal"`,
    );
    expect((await fetch(`${api.url}/api/people`)).headers.get('www-authenticate')).toBe('Bearer realm="countersign"');
  });

  it('finds everything below a path that a proxy shows', async () => {
    const proxied = await bootAuth({ controllers: [Mounts], env: { PUBLIC_URL: 'http://127.0.0.1:7999/base' } });
    try {
      const host = { headers: { host: '127.0.0.1:7999' } };
      const look = async (path: string) => {
        const response = await fetchAs(proxied.url + path, host.headers);
        return response.body as Record<string, unknown>;
      };
      const issuer = 'http://127.0.0.1:7999/base/oauth';
      for (const path of ['/.well-known/oauth-protected-resource/base/mcp', '/base/.well-known/oauth-protected-resource/mcp']) {
        expect(await look(path)).toMatchObject({ resource: 'http://127.0.0.1:7999/base/mcp', authorization_servers: [issuer] });
      }
      for (const path of ['/.well-known/oauth-authorization-server/base/oauth', '/base/oauth/.well-known/openid-configuration']) {
        expect(await look(path)).toMatchObject({ issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/auth` });
      }
    } finally {
      await proxied.close();
    }
  });
});

it.each(engines)('keeps, counts and forgets the same on %s', async (_name, open) => {
  const here = await bootAuth({ open, controllers: [Mounts] });
  try {
    const owner = await here.owner();
    const client = new OauthClient(here.url);
    const first = await client.signIn(owner, ['terminal:plan']);
    const use = (token: string) => here.caller(token).send<{ id: string }>('GET', '/mcp');
    const { id } = (await use(first.access_token)).body;
    const more = await client.signIn(owner, ['terminal:plan', 'terminal:execute']);
    expect((await use(more.access_token)).body.id).toBe(id);
    const renewed = await Promise.all([client.refresh(more.refresh_token), client.refresh(more.refresh_token)]);
    expect(renewed.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    await client.refresh(more.refresh_token);
    expect((await use(more.access_token)).status).toBe(401);
    here.clock.at += 400 * 86_400_000;
    await here.get(OauthEnds).sweep();
    expect((await sql`select * from oauth_artifacts`.execute(here.db)).rows).toEqual([]);
  } finally {
    await here.close();
  }
});

/** With a Host header of its own, as a proxy sends it. */
function fetchAs(url: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as unknown });
      });
    });
    asked.on('error', reject).end();
  });
}
