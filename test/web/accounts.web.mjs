import { createServer } from 'node:http';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { freePort, startServer } from '../support/server.mjs';
import { accessible, assert, eventually, noSidewaysScroll } from './support/expect.mjs';

/** Accounts in a real browser: clients of the protocol that people sign in with, a passkey, a picture of an authenticator's key. */
const NAME = 'owner';
const PASSWORD = 'correct horse battery';

/** Where a client on this machine waits for the browser. */
async function startCallback() {
  const waiting = [];
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back in the client</h1>');
    waiting.shift()?.(new URL(request.url, 'http://inside').searchParams);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/callback`,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => server.close(),
  };
}

/** What the host of a client keeps, and where it sends the browser. */
function keeper(callback, clientName) {
  const kept = {};
  return {
    kept,
    redirectUrl: callback.url,
    clientMetadata: { client_name: clientName, redirect_uris: [callback.url] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (state) => void (kept.state = state),
    discoveryState: () => kept.state,
    redirectToAuthorization: (url) => void (kept.authorize = url),
  };
}

async function signIn(page, path = '/login') {
  if (path !== '') await page.goto(path);
  await page.locator('#name').fill(NAME);
  await page.locator('#password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const who = async (client) => (await client.callTool({ name: 'whoami', arguments: {} })).structuredContent;

export default {
  before: async () => {
    const port = await freePort();
    const server = await startServer({ port, env: { HOST: 'localhost', PUBLIC_URL: `http://localhost:${port}` } });
    const owner = new ConsoleClient(server.url);
    await owner.welcome(server.link, { name: NAME, password: PASSWORD });
    return { server, owner, callback: await startCallback() };
  },
  after: async (given) => {
    given?.callback.close();
    await given?.server.remove();
  },
  tests: {
    'a person signs in with a modern client, and ends it within a second': async ({ open, server, owner, callback }) => {
      const host = keeper(callback, 'Modern client');
      const connect = async () => {
        const transport = new ModernHttp(new URL(server.mcp), { authProvider: host });
        const client = new ModernClient({ name: 'web', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
        return { client, transport, error: await client.connect(transport).catch((thrown) => thrown) };
      };
      const first = await connect();
      const page = await open({ baseURL: server.url });
      await page.goto(host.kept.authorize.href);
      await signIn(page, '');
      await page.getByRole('heading', { name: 'A client wants to act for you' }).waitFor();
      const text = await page.locator('main').innerText();
      for (const shown of ['Modern client', new URL(callback.url).host, `${server.url}/mcp`, 'terminal:execute', 'runs on the machine']) {
        assert.ok(text.includes(shown), `the page shows ${shown}`);
      }
      await accessible(page, 'consent');
      await noSidewaysScroll(page, 'consent');
      await page.getByRole('checkbox', { name: 'Run approved commands' }).uncheck();
      const back = callback.next();
      await page.getByRole('button', { name: 'Let it act' }).click();
      await first.transport.finishAuth(await back);
      const { client } = await connect();
      assert.deepEqual((await who(client)).scopes, ['terminal:plan', 'receipts:read']);

      const tokens = await open({ baseURL: server.url });
      await signIn(tokens);
      await tokens.waitForURL('**/');
      await tokens.goto('/admin/tokens');
      await tokens.getByText(`signed in, ${new URL(callback.url).host}`).waitFor();
      const { items } = await owner.get('/api/tokens');
      await owner.delete(`/api/tokens/${items.find(({ name }) => name === 'Modern client').id}`);
      const at = Date.now();
      await assert.rejects(who(client));
      assert.ok(Date.now() - at < 1_000, 'it is cut off within a second');
      await client.close().catch(() => undefined);
    },

    'a person refuses a legacy client, and then lets it act': async ({ open, server, callback }) => {
      const host = keeper(callback, 'Legacy client');
      const connect = async () => {
        const transport = new LegacyHttp(new URL(`${server.mcp}/terminal`), { authProvider: host });
        const client = new LegacyClient({ name: 'web', version: '1' });
        return { client, transport, error: await client.connect(transport).catch((thrown) => thrown) };
      };
      const page = await open({ baseURL: server.url });
      await signIn(page);
      await page.waitForURL('**/');
      await connect();
      await page.goto(host.kept.authorize.href);
      const refused = callback.next();
      await page.getByRole('button', { name: 'Refuse' }).click();
      assert.equal((await refused).get('error'), 'access_denied');
      await page.getByRole('heading', { name: 'Back in the client' }).waitFor();
      const { transport } = await connect();
      await page.goto(host.kept.authorize.href);
      const given = callback.next();
      await page.getByRole('button', { name: 'Let it act' }).click();
      await transport.finishAuth((await given).get('code'));
      const { client } = await connect();
      assert.deepEqual((await who(client)).scopes, ['terminal:plan', 'terminal:execute', 'receipts:read']);
      await client.close();
    },

    'a person adds a passkey and signs in with it': async ({ open, server }) => {
      const page = await open({ baseURL: server.url });
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('WebAuthn.enable');
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      });
      await signIn(page);
      await page.waitForURL('**/');
      await page.goto('/account');
      await page.getByRole('button', { name: 'Set up' }).click();
      const picture = page.locator('svg.qr path');
      await picture.waitFor();
      assert.ok((await picture.getAttribute('d')).length > 1_000, 'the key is drawn');
      await accessible(page, 'authenticator');
      await page.getByRole('button', { name: 'Add a passkey' }).first().click();
      await page.locator('#factor').fill('this laptop');
      await page.locator('cs-new-factor button[type=submit]').click();
      await page.getByText('Recovery codes').first().waitFor();
      await eventually(async () => assert.ok((await page.locator('main').innerText()).includes('this laptop')));
      await page.context().clearCookies();
      await signIn(page);
      await page.getByRole('button', { name: /passkey/i }).click();
      await page.waitForURL((url) => url.pathname === '/');
    },
  },
};
