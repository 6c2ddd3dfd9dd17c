import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  UnauthorizedError as ModernUnauthorized,
} from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ConsentRequest, TokenInfo } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';

const CALLBACK = 'http://127.0.0.1:9/callback';

let api: Booted;
let owner: ConsoleClient;
beforeAll(async () => {
  api = await boot();
  owner = await api.owner();
}, 60_000);
const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.allSettled(opened.map((client) => client.close()));
  await api.close();
});

interface Kept {
  client_id: string;
  access_token: string;
  token_type: string;
  refresh_token?: string;
}

/** What a client's host keeps for it, and the browser that it opens: a person who says yes to all that is asked for. */
class Host {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'Real client', redirect_uris: [CALLBACK], scope: 'mcp' };
  readonly asked: string[][] = [];
  answer = new URLSearchParams();
  #discovered: unknown;
  #client: Kept | undefined;
  #tokens: Kept | undefined;
  #verifier = '';

  clientInformation(): Kept | undefined {
    return this.#client;
  }
  saveClientInformation(client: unknown): void {
    this.#client = client as Kept;
  }
  tokens(): Kept | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: unknown): void {
    this.#tokens = tokens as Kept;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: unknown): void {
    this.#discovered = state;
  }
  discoveryState(): never {
    return this.#discovered as never; // each SDK has a type of its own for what it gave
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const started = await fetch(url, { redirect: 'manual' });
    const cookies = started.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const uid = (started.headers.get('location') ?? '').split('/').at(-1) ?? '';
    const with_ = { cookie: [owner.cookie, ...cookies].join('; ') };
    const request = (await (await owner.request('GET', `/api/consents/${uid}/request`, undefined, with_)).json()) as ConsentRequest;
    const scopes = request.scopes.map(({ scope }) => scope);
    this.asked.push(scopes);
    const given = (await (await owner.request('POST', `/api/consents/${uid}/give`, { scopes }, with_)).json()) as { url: string };
    const back = await fetch(given.url, { redirect: 'manual', headers: { cookie: cookies.join('; ') } });
    this.answer = new URL(back.headers.get('location') ?? '').searchParams;
  }
}

async function grantOf(name: string): Promise<TokenInfo> {
  const { items } = (await owner.get('/api/tokens')) as { items: readonly TokenInfo[] };
  const token = items.find((one) => one.client !== undefined && one.name === name && one.revokedAt === null);
  if (!token) throw new Error('There is no grant');
  return token;
}

const scopesOf = (answer: unknown): unknown => (answer as { structuredContent: { scopes: unknown } }).structuredContent.scopes;

it('signs a modern client in, steps it up, refreshes it, and cuts it off within a second', async () => {
  const host = new Host();
  const url = new URL(`${api.url}/mcp`);
  const connect = async (): Promise<{ client: ModernClient; transport: ModernHttp }> => {
    const transport = new ModernHttp(url, { authProvider: host as never }); // the interface has more, all optional
    const client = new ModernClient({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    opened.push(client);
    await client.connect(transport).catch(async (error: unknown) => {
      if (!(error instanceof ModernUnauthorized)) throw error;
      await transport.finishAuth(host.answer);
    });
    return { client, transport };
  };
  await connect();
  const { client } = await connect();
  expect(host.asked[0]).toEqual(['terminal:plan', 'terminal:execute', 'receipts:read']);
  expect(scopesOf(await client.callTool({ name: 'whoami', arguments: {} }))).toEqual(host.asked[0]);

  const before = host.tokens();
  const refreshed = await fetch(`${api.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: before?.refresh_token ?? '',
      client_id: host.clientInformation()?.client_id ?? '',
    }),
  });
  expect(refreshed.status).toBe(200);
  host.saveTokens({ ...before, ...((await refreshed.json()) as object) });
  expect(scopesOf(await client.callTool({ name: 'whoami', arguments: {} }))).toEqual(host.asked[0]);

  const stepping = await connect();
  const approve = { name: 'terminal_approve', arguments: {} };
  await expect(stepping.client.callTool(approve)).rejects.toThrow(ModernUnauthorized);
  expect(host.asked.at(-1)).toContain('approvals:decide');
  await stepping.transport.finishAuth(host.answer);
  expect(scopesOf(await stepping.client.callTool({ name: 'whoami', arguments: {} }))).toContain('approvals:decide');

  const { id } = await grantOf('Real client');
  await owner.delete(`/api/tokens/${id}`);
  const at = Date.now();
  await expect(client.callTool({ name: 'whoami', arguments: {} })).rejects.toThrow();
  expect(Date.now() - at).toBeLessThan(5_000);
}, 60_000);

it('signs a legacy client in, and ends its open stream within a second of the revocation', async () => {
  const host = new Host();
  const url = new URL(`${api.url}/mcp/terminal`);
  const first = new LegacyHttp(url, { authProvider: host });
  await expect(new LegacyClient({ name: 'e2e', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  await first.finishAuth(host.answer.get('code') ?? '');
  const client = new LegacyClient({ name: 'e2e', version: '1' });
  const transport = new LegacyHttp(url, { authProvider: host });
  await client.connect(transport);
  opened.push(client);
  expect(scopesOf(await client.callTool({ name: 'whoami', arguments: {} }))).toEqual([
    'terminal:plan',
    'terminal:execute',
    'receipts:read',
  ]);

  const stream = await fetch(url, {
    headers: {
      authorization: `Bearer ${host.tokens()?.access_token ?? ''}`,
      accept: 'text/event-stream',
      'mcp-session-id': transport.sessionId ?? '',
    },
  });
  // The client holds the one stream of its session already, or this is it; either way it must be cut.
  const ended = stream.body ? stream.text().catch(() => 'cut') : Promise.resolve('');
  const { id } = await grantOf('Real client');
  await owner.delete(`/api/tokens/${id}`);
  const at = Date.now();
  await ended;
  expect(Date.now() - at).toBeLessThan(1_000);
  await expect(client.callTool({ name: 'whoami', arguments: {} })).rejects.toThrow();
}, 60_000);
