import type { ConnectAnswer, Connector, ConnectorStatus, ProviderDetail, ProviderList } from '#contracts';
import { Egress } from '#platform';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { HostedConnector } from '../support/hosted-connector.js';

const ENDPOINT = 'https://connector.oomol.com/v1/mcp';

describe('the hosted service', () => {
  let hosted: HostedConnector;
  let api: Booted;
  let owner: ConsoleClient;
  let connector: Connector;
  const heard: string[] = [];

  const op = async <T>(name: string, body: object): Promise<T> => {
    const text = await (await owner.request('POST', `/api/oomol/${name}`, body)).text();
    heard.push(text);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
  const reasonOf = async (name: string, body: object): Promise<unknown> =>
    (await op<{ error?: { details: { reason?: string } } }>(name, body)).error?.details.reason;
  const setKey = (key: string): Promise<unknown> => op('key', { connector: connector.id, which: 'key', key });
  const last = () => hosted.requests.at(-1);

  beforeAll(async () => {
    api = await boot({ env: { OOMOL_MCP_API_KEY: 'api_env', OOMOL_TEAM_NAME: '' } });
    owner = await api.owner();
    connector = await op('create', { name: 'hosted', endpoint: ENDPOINT, teamName: 'acme' });
  });
  beforeEach(async () => {
    hosted = new HostedConnector();
    api.app.get(Egress).send = hosted.send;
    await setKey('api_good');
  });
  afterAll(async () => {
    for (const secret of ['must-not-leak', 'api_good', 'my-api-key', 'my-password'])
      expect(heard.filter((text) => text.includes(secret))).toEqual([]);
    await api.close();
  });

  describe('runtime', () => {
    it('a stored credential beats the environment, and the team that is set is sent', async () => {
      await op('providers', { connector: connector.id });
      expect(last()?.headers).toMatchObject({ authorization: 'Bearer api_good', 'x-oo-team-name': 'acme' });
    });

    it('the environment is used where nothing is stored, and a personal identity sends no team', async () => {
      await op('key', { connector: connector.id, which: 'key' });
      await op('change', { connector: connector.id, teamName: '' });
      process.env['OOMOL_MCP_API_KEY'] = 'api_good';
      await op('providers', { connector: connector.id });
      expect(last()?.headers).toMatchObject({ authorization: 'Bearer api_good' });
      expect(Object.keys(last()?.headers ?? {})).not.toContain('x-oo-team-name');
      delete process.env['OOMOL_MCP_API_KEY'];
      await op('change', { connector: connector.id, teamName: 'acme' });
    });

    it('a missing key is told by the name of its variable, and unconfigured is no failure', async () => {
      const shown = await op<Connector>('key', { connector: connector.id, which: 'key' });
      expect(shown).toMatchObject({ keySource: 'none', configuration: { apiKeyEnv: 'OOMOL_MCP_API_KEY', credentialRequired: true } });
      expect(await op<ConnectorStatus>('test', { connector: connector.id })).toMatchObject({ phase: 'unconfigured', errorCode: null });
    });

    it('the mode is derived, with a trailing slash too, and the configuration is the safe view', async () => {
      const other = await op<Connector>('create', { name: 'slash', endpoint: `${ENDPOINT}/` });
      expect(other.configuration).toEqual({
        ...{ mode: 'oomol-hosted', endpoint: ENDPOINT, apiKeyEnv: 'OOMOL_MCP_API_KEY', credentialRequired: true },
        ...{ connectionsManagement: 'embedded', consoleUrl: 'https://console.oomol.com' },
      });
      await op('remove', { connector: other.id });
    });

    it('a key goes with no change of place', async () => {
      const moved = await op<Connector>('change', { connector: connector.id, endpoint: 'https://connect.example.com/mcp' });
      expect(moved).toMatchObject({ keySource: 'none', configuration: { mode: 'self-hosted', apiKeyEnv: 'OOMOL_CONNECT_RUNTIME_TOKEN' } });
      await op('change', { connector: connector.id, endpoint: ENDPOINT });
    });

    it.each([
      ['apiKeyEnv', { apiKeyEnv: 'COUNTERSIGN_SECRET_KEY' }],
      ['apiKeyEnv', { apiKeyEnv: 'OOMOL KEY' }],
      ['serverName', { serverName: 'not a name' }],
      ['toolCallTimeoutMs', { toolCallTimeoutMs: 0 }],
      ['endpoint', { endpoint: 'https://me:secret@example.com/mcp' }],
      ['endpoint', { endpoint: 'http://example.com/mcp' }],
    ])('%s is checked before it is used: %j', async (path, wish) => {
      const answer = await op<{ error: { details: { paths: string[] } } }>('change', { connector: connector.id, ...wish });
      expect(answer.error.details.paths).toEqual([path]);
    });
  });

  describe('connections', () => {
    it('the list is made of both calls with key and team, without secrets, and a javascript: icon is null', async () => {
      hosted.add('github', { isDefault: true });
      const list = await op<ProviderList>('providers', { connector: connector.id });
      expect(hosted.requests.map(({ url }) => url.href).sort()).toEqual(['https://connector.oomol.com/v1/apps', 'https://connector.oomol.com/v1/providers']); // prettier-ignore
      expect(hosted.requests.every(({ headers }) => headers['x-oo-team-name'] === 'acme')).toBe(true);
      expect(list.items.map(({ service, state, iconUrl }) => [service, state, iconUrl])).toEqual([
        ['github', 'connected', 'https://static.example/github.svg'],
        ['imap', 'not_connected', null],
        ['notion', 'not_connected', null],
      ]);
    });

    it('an API key is sent exactly so, and nothing of it comes back', async () => {
      const wish = { connector: connector.id, service: 'github', kind: 'api_key', apiKey: 'my-api-key', extra: { host: 'h', empty: '' } };
      const answer = await op<ConnectAnswer>('connect', { ...wish, comment: 'work' });
      expect(answer).toMatchObject({ account: { service: 'github', status: 'active' } });
      expect(last()?.body).toBe('{"apiKey":"my-api-key","comment":"work","extra":{"host":"h"}}');
    });

    it('an account is connected again under its id', async () => {
      const { id } = hosted.add('github', { status: 'reauth_required' });
      const wish = { connector: connector.id, service: 'github', accountId: id, kind: 'api_key', apiKey: 'my-api-key' };
      expect(await op('connect', wish)).toMatchObject({ account: { id, status: 'active' } });
      expect(last()?.url.pathname).toBe(`/v1/apps/by-id/${String(id)}/connect/api-key`);
    });

    it('OAuth has a fixed way back, and a bad identifier is never fetched', async () => {
      const wish = { connector: connector.id, service: 'github', kind: 'oauth2', scopes: ['read:user', 'read:user'] };
      expect(await op('connect', wish)).toEqual({ authorizationUrl: 'https://github.com/login/oauth/authorize?state=1' });
      expect(JSON.parse(last()?.body ?? '')).toEqual({
        returnUri: 'https://console.oomol.com/app-connections/callback',
        authorizationScopes: ['read:user'],
      });
      const before = hosted.requests.length;
      expect(await reasonOf('connect', { ...wish, service: '../../etc' })).toBe('invalid_request');
      expect(await reasonOf('provider', { connector: connector.id, service: '../../etc' })).toBe('invalid_request');
      expect(hosted.requests.length).toBe(before);
      expect(await reasonOf('connect', { ...wish, service: 'notion' })).toBe('oauth_client_required');
    });

    it('a default is set with the body that the service knows, and a disconnect has the literal null', async () => {
      const { id } = hosted.add('github');
      expect(await op('set-default', { connector: connector.id, accountId: id })).toMatchObject({ id, isDefault: true });
      expect(last()?.body).toBe(JSON.stringify({ appId: id }));
      await op('disconnect', { connector: connector.id, accountId: id });
      expect([last()?.method, last()?.body]).toEqual(['DELETE', 'null']);
    });

    it('nothing is fetched without a key', async () => {
      await op('key', { connector: connector.id, which: 'key' });
      expect(await reasonOf('providers', { connector: connector.id })).toBe('unconfigured');
      expect(hosted.requests).toEqual([]);
    });

    it('a self-hosted connector without an admin token is managed elsewhere, and nothing is fetched', async () => {
      const own = await op<Connector>('create', { name: 'own', endpoint: 'https://connect.example.com/mcp' });
      expect(own.configuration).toMatchObject({ connectionsManagement: 'external', consoleUrl: 'https://connect.example.com' });
      expect(await reasonOf('connect', { connector: own.id, service: 'github', kind: 'no_auth' })).toBe('unsupported');
      expect(hosted.requests).toEqual([]);
      await op('remove', { connector: own.id });
    });

    it('forms come from definitions: secrets by default for custom fields, scopes with their risk', async () => {
      const github = await op<ProviderDetail>('provider', { connector: connector.id, service: 'github' });
      expect(github.oauth?.scopes.map(({ value, risk }) => `${value} ${risk}`)).toEqual(['read:user standard', 'delete_repo destructive', 'odd unknown']); // prettier-ignore
      expect(github.apiKey?.extraFields).toMatchObject([{ key: 'host', secret: false }]);
      const imap = await op<ProviderDetail>('provider', { connector: connector.id, service: 'imap' });
      expect(imap.customCredential?.fields.map(({ key, secret }) => [key, secret])).toEqual([['host', false], ['password', true]]); // prettier-ignore
    });

    it.each([
      ['api_wrong', 'unauthorized'],
      ['api_limited', 'rate_limited'],
      ['api_down', 'unavailable'],
      ['api_html', 'invalid_response'],
      ['api_nodata', 'invalid_response'],
      ['api_refused', 'request_failed'],
    ])('the key %s ends as %s, and with no other word', async (key, reason) => {
      await setKey(key);
      expect(await reasonOf('providers', { connector: connector.id })).toBe(reason);
    });

    it('a status that nobody knows is unknown, never active', async () => {
      hosted.add('github', { status: 'sparkling' });
      const detail = await op<ProviderDetail>('provider', { connector: connector.id, service: 'github' });
      expect(detail).toMatchObject({ state: 'needs_attention', connected: [{ status: 'unknown' }] });
    });
  });

  it('lists 1,400 providers in well under a second', async () => {
    hosted.fillers = 1_400;
    const startedAt = performance.now();
    expect((await op<ProviderList>('providers', { connector: connector.id })).total).toBe(1_403);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
