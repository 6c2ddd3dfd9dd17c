import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  alike,
  ALICE,
  BOB,
  bootMcp,
  headersOf,
  modern,
  MODERN,
  READER,
  type McpApp,
  type SendOptions,
} from '../../../../test/support/mcp-app.js';
import { SamplePrompts, SampleResources, SampleTools } from '../../../../test/support/sample-tools.js';
import { verifies } from '../../../../test/support/verifies.js';
import { McpChanges } from '../changes.js';
import { StepUp } from '../ports.js';
import { LegacySessions } from './legacy-sessions.js';
import { OpenStreams } from './open-streams.js';

let api: McpApp;
let tools: SampleTools;

/** OAuth callers, whose token could be widened; the others' scopes are fixed. */
class TestStepUp extends StepUp {
  override metadataUrlFor({ id }: { id: string }): string | undefined {
    return id === 'oauth' ? 'http://127.0.0.1/.well-known/oauth-protected-resource/mcp' : undefined;
  }
}

beforeAll(async () => {
  api = await bootMcp([SampleTools, SampleResources, SamplePrompts, { provide: StepUp, useClass: TestStepUp }], {
    RATE_LIMIT_PER_MINUTE: '1000000',
  });
  api.directory.add(alike(READER, 'oauth'));
  tools = api.get(SampleTools);
});
afterAll(() => api.close());

interface Rpc {
  readonly id?: unknown;
  readonly result?: Record<string, unknown> & { structuredContent?: Record<string, unknown>; requestState?: string; resultType?: string };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

const call = (name: string, args: object, id: string | number = 1, more: Record<string, unknown> = {}) =>
  modern('tools/call', { name, arguments: args, ...more }, id);
const post = (body: Record<string, unknown>, options: SendOptions = {}) =>
  api.send(body, { ...options, headers: { ...headersOf(body), ...options.headers } });
const answer = async (response: Promise<Response>): Promise<Rpc & { status: number }> => {
  const { status, ...rest } = await response.then(async (got) => ({ status: got.status, ...((await got.json()) as Rpc) }));
  return { status, ...rest };
};

const initialize = (version = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const legacyCall = (name: string, args: object, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

async function openSession(token: string = ALICE.id, path = '/mcp'): Promise<string> {
  const response = await api.send(initialize(), { token, path });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('mcp-session-id') ?? '';
}
const inSession = (id: string, body: unknown, options: SendOptions = {}) =>
  api.send(body, { ...options, headers: { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25', ...options.headers } });

/** The messages of an event stream. */
async function messagesIn(response: Response): Promise<Rpc[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice(6)) as Rpc);
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 5_000; !isTrue();) {
    if (Date.now() > deadline) throw new Error('It did not come');
    await pause(10);
  }
}

describe('the door', () => {
  it('is closed without a token, on every method, and says what to bring', async () => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await api.send(method === 'POST' ? call('whoami', { text: 'x' }) : undefined, { method, token: 'nobody' });
      expect([method, response.status, response.headers.get('www-authenticate')]).toEqual([method, 401, 'Bearer']);
    }
  });

  it.each([
    ['Host', { host: 'evil.example' }],
    ['Origin', { origin: 'https://evil.example' }],
  ])('refuses a foreign %s', async (_name, headers) => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.url);
      const sent = request(
        {
          hostname,
          port,
          path: '/mcp',
          method: 'POST',
          headers: { ...headers, authorization: 'Bearer alice', 'content-type': 'application/json' },
        },
        ({ statusCode }) => {
          resolve(statusCode);
        },
      );
      sent.on('error', reject).end('{}');
    });
    expect(status).toBe(403);
  });

  it('keeps what hooks have set, on plain answers and on streams', async () => {
    const plain = await post(call('whoami', { text: 'x' }));
    const stream = await post(call('terminal_output', { steps: 3 }, 1, { _meta: { progressToken: 'p' } }));
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    await Promise.all([plain.text(), stream.text()]);
    for (const { headers } of [plain, stream]) {
      expect(headers.get('x-request-id')).toMatch(/./);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
  });

  verifies('mcp:bounded', '256 KiB', async () => {
    const fits = await answer(post(call('whoami', { text: 'x'.repeat(200_000) })));
    expect(fits).toMatchObject({ status: 200, result: { structuredContent: { error: { code: 'INPUT_INVALID' } } } });
    expect((await post(call('whoami', { text: 'x'.repeat(300_000) }))).status).toBe(413);
  });

  it.each([
    ['malformed JSON', '{"jsonrpc":', 400],
    ['nothing', '', 400],
    ['another kind of body', undefined, 415],
  ])('refuses %s', async (_name, body, status) => {
    const headers = body === undefined ? { 'content-type': 'text/plain' } : {};
    expect((await api.send(body ?? 'hello', { headers })).status).toBe(status);
  });

  it.each([
    [
      'deep JSON',
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
      'nested deeper',
    ],
    [
      'too many values',
      JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'x', params: { x: Array(21_000).fill(1) } }),
      'more than 20000 values',
    ],
    ['too many messages', JSON.stringify(Array(17).fill(legacyCall('whoami', { text: 'x' }))), 'A batch may hold'],
  ])('refuses %s before anything looks at it', async (_name, body, words) => {
    const refused = await answer(api.send(body));
    expect(refused).toMatchObject({ status: 400, error: { code: -32600 } });
    expect(refused.error?.message).toContain(words);
  });

  it('serves one request at a time on a connection, and ends its work when the client leaves', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const body = JSON.stringify(call('terminal_wait', { ms: 20_000 }));
    const head = Object.entries({
      ...headersOf(call('terminal_wait', {})),
      authorization: 'Bearer alice',
      'content-type': 'application/json',
    });
    const lines = ['POST /mcp HTTP/1.1', `host: ${new URL(api.url).host}`, 'accept: application/json, text/event-stream'];
    const request = [...lines, ...head.map(([name, value]) => `${name}: ${value}`), `content-length: ${body.length}`, '', body].join(
      '\r\n',
    );
    socket.resume().write(request.repeat(3));
    await until(() => tools.waiting > 0);
    await pause(100);
    expect(tools.waiting).toBe(1);
    socket.destroy();
    await until(() => tools.waiting === 0);
    tools.cancelled.length = 0;
  });

  it('answers other methods with 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH'])
      expect([method, (await api.send(undefined, { method })).status]).toEqual([method, 405]);
  });
});

describe('the modern door', () => {
  it.each([
    ['method', { 'mcp-method': 'tools/list' }],
    ['name', { 'mcp-name': 'terminal_plan' }],
    ['version', { 'mcp-protocol-version': '2025-11-25' }],
  ])('refuses headers whose %s is not that of the body', async (_name, headers) => {
    expect(await answer(post(call('whoami', { text: 'x' }), { headers }))).toMatchObject({ status: 400, id: 1, error: { code: -32020 } });
  });

  it('reads a name in its base64 form', async () => {
    const headers = { 'mcp-name': `=?base64?${Buffer.from('whoami').toString('base64')}?=` };
    expect(await answer(post(call('whoami', { text: 'x' }), { headers }))).toMatchObject({
      status: 200,
      result: { structuredContent: { id: 'alice' } },
    });
  });

  it('names what it speaks to a client of another version', async () => {
    const body = modern('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } });
    const refused = await answer(api.send(body, { headers: { 'mcp-protocol-version': '2030-01-01', 'mcp-method': 'tools/list' } }));
    expect(refused).toMatchObject({ status: 400, error: { code: -32022, data: { supported: [MODERN], requested: '2030-01-01' } } });
  });

  it('introduces itself', async () => {
    const { result } = await answer(post(modern('server/discover')));
    expect(result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: { listChanged: false }, resources: { subscribe: true }, completions: {} },
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'countersign', title: 'Countersign' } },
    });
    expect(result?.['capabilities']).not.toHaveProperty('logging');
    expect(result?.['instructions']).toMatch(/plan, approve, execute, receipt/);
  });

  it('keeps lists that scopes shape private, and their order stable', async () => {
    const [first, second] = await Promise.all([answer(post(modern('tools/list'))), answer(post(modern('tools/list')))]);
    expect(first.result).toMatchObject({ cacheScope: 'private', ttlMs: 300_000 });
    expect(first.result?.['tools']).toEqual(second.result?.['tools']);
  });

  it('answers unknown methods and those of older versions with 404', async () => {
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'nothing/here']) {
      expect(await answer(post(modern(method)))).toMatchObject({ status: 404, error: { code: -32601 } });
    }
  });

  it('challenges a caller that could get more scopes, and no other', async () => {
    const oauth = await post(call('terminal_plan', { text: 'x' }), { token: 'oauth' });
    expect(oauth.status).toBe(403);
    expect(oauth.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*scope="terminal:plan".*resource_metadata="http:\/\/127/,
    );
    const legacy = await api.send(legacyCall('terminal_plan', { text: 'x' }), { token: 'oauth' });
    expect(legacy.status).toBe(403);
    const fixed = await answer(post(call('terminal_plan', { text: 'x' }), { token: READER.id }));
    expect(fixed).toMatchObject({ status: 200, result: { isError: true, structuredContent: { error: { code: 'SCOPE_MISSING' } } } });
  });
});

describe('callers', () => {
  verifies('mcp:isolation', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `caller${index}`);
    for (const name of names) api.directory.add(alike(ALICE, name));
    const rounds = Array.from({ length: 10 }, (_, round) =>
      names.map(async (token) => {
        const [now, before] = await Promise.all([
          answer(post(call('whoami', { text: `${token} ${round}` }), { token })),
          answer(
            api
              .send(legacyCall('whoami', { text: `${token} ${round}` }), {
                token,
                headers: { accept: 'application/json, text/event-stream' },
              })
              .then(async (response) => new Response(JSON.stringify((await messagesIn(response))[0]), { status: 200 })),
          ),
        ]);
        for (const { id, result } of [now, before]) {
          expect(id).toBe(1);
          expect(result?.structuredContent).toEqual({ id: token, text: `${token} ${round}`, channel: 'mcp' });
        }
      }),
    );
    await Promise.all(rounds.flat());
  });

  it('do not share request ids', async () => {
    const request_id = 'shared';
    const [alice, bob] = await Promise.all(
      [ALICE, BOB].map(({ id: token }) => answer(post(call('terminal_plan', { text: 'mine', request_id }), { token }))),
    );
    expect(alice?.result?.structuredContent).not.toEqual(bob?.result?.structuredContent);
    expect(tools.done.filter((done) => done.endsWith(':mine')).sort()).toEqual(['alice:mine', 'bob:mine']);
  });

  it('may ask again with the same id after a refusal that may end otherwise later', async () => {
    const again = () => answer(post(call('terminal_plan', { text: 'later', request_id: 'again' })));
    expect((await again()).result?.structuredContent).toMatchObject({ error: { code: 'PLAN_NOT_APPROVED', retry: 'later' } });
    tools.done.push('ready');
    expect((await again()).result?.structuredContent).toMatchObject({ text: 'later' });
    const final = () => answer(post(call('terminal_plan', { text: 'denied', request_id: 'final' })));
    expect((await final()).result).toEqual((await final()).result);
  });

  it('are answered when a duplicate waits for a call that its client gave up', async () => {
    const abort = new AbortController();
    const body = call('terminal_plan', { text: 'given up', request_id: 'given up' });
    const first = post(body, { signal: abort.signal }).catch(() => 'gone');
    await pause(10);
    const second = answer(post(body));
    abort.abort();
    expect(await first).toBe('gone');
    expect((await second).result?.structuredContent).toMatchObject({ text: 'given up' });
    expect(tools.done.filter((done) => done === 'alice:given up')).toHaveLength(1);
  });
});

describe('the state between two rounds', () => {
  const capabilities = { _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } } };
  const args = { text: 'x', how: 'form' };
  const second = (requestState: string, changes: { args?: object; token?: string; name?: string } = {}) =>
    answer(
      post(
        call(changes.name ?? 'terminal_execute', changes.args ?? args, 2, {
          ...capabilities,
          requestState,
          inputResponses: { form: { action: 'accept', content: { agreed: true } } },
        }),
        { token: changes.token ?? ALICE.id },
      ),
    );
  let requestState: string;

  beforeEach(async () => {
    const { result } = await answer(post(call('terminal_execute', args, 1, capabilities)));
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { form: { method: 'elicitation/create' } } });
    requestState = result?.requestState ?? '';
  });

  const refused = { error: { code: -32602, data: { reason: 'invalid_request_state' } } };

  it('is missing from answers that nobody asked for, so they answer nothing', async () => {
    const inputResponses = { form: { action: 'accept', content: { agreed: true } } };
    const { result } = await answer(post(call('terminal_execute', args, 2, { ...capabilities, inputResponses })));
    expect(result).toMatchObject({ resultType: 'input_required' });
  });

  it('lets the same call go on', async () => {
    expect((await second(requestState)).result?.structuredContent).toEqual({ action: 'accept', agreed: true, rounds: 2 });
  });

  verifies('mcp:state-bound', 'changed', async () => {
    const [head, body, mac] = requestState.split('.') as [string, string, string];
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('"state":1', '"state":9')).toString('base64url');
    for (const state of [`${head}.${forged}.${mac}`, `${head}.${body}.${mac.slice(1)}A`, 'v1.e30.AAAA', 'x', '']) {
      expect(await second(state)).toMatchObject(refused);
    }
  });

  verifies('mcp:state-bound', 'another caller, other arguments, another tool', async () => {
    expect(await second(requestState, { token: BOB.id })).toMatchObject(refused);
    expect(await second(requestState, { args: { ...args, text: 'y' } })).toMatchObject(refused);
    expect(await second(requestState, { name: 'terminal_wait', args: { ms: 1 } })).toMatchObject(refused);
  });

  verifies('mcp:state-bound', 'old', async () => {
    const { now } = Date;
    Date.now = () => now() + 3_700_000;
    try {
      expect(await second(requestState)).toMatchObject(refused);
    } finally {
      Date.now = now;
    }
  });
});

describe('leaving', () => {
  beforeEach(() => {
    tools.cancelled.length = 0;
  });

  it.each([
    ['modern', (signal: AbortSignal) => post(call('terminal_wait', { ms: 20_000 }), { signal })],
    [
      'legacy, without a session',
      (signal: AbortSignal) => api.send(legacyCall('terminal_wait', { ms: 20_000 }), { signal }).then((response) => response.text()),
    ],
  ])('cancels the call of a %s client', async (_name, start) => {
    const abort = new AbortController();
    const left = start(abort.signal).catch(() => 'left');
    await until(() => tools.waiting === 1);
    abort.abort();
    expect(await left).toBe('left');
    await until(() => tools.cancelled.length === 1);
    expect(tools.waiting).toBe(0);
  });

  verifies('mcp:cancel-own', async () => {
    const abort = new AbortController();
    const left = post(call('terminal_wait', { ms: 20_000 }), { signal: abort.signal }).catch(() => 'left');
    const stays = answer(post(call('terminal_wait', { ms: 300 }), { token: BOB.id }));
    await until(() => tools.waiting === 2);
    abort.abort();
    await left;
    expect((await stays).result?.structuredContent).toEqual({ waited: true });
    expect(tools.cancelled).toEqual(['alice']);
  });

  it('in a session, a message cancels and a cut does not', async () => {
    const session = await openSession();
    const told = inSession(session, legacyCall('terminal_wait', { ms: 20_000 }, 'told'));
    const abort = new AbortController();
    const cut = inSession(session, legacyCall('terminal_wait', { ms: 400 }, 'cut'), { signal: abort.signal });
    await until(() => tools.waiting === 2);
    await (await inSession(session, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'told' } })).text();
    await until(() => tools.cancelled.length === 1);
    abort.abort();
    await Promise.allSettled([cut, told]);
    await until(() => tools.waiting === 0);
    expect(tools.cancelled).toEqual(['alice']);
  });

  it('ends the calls of a session with the session', async () => {
    const session = await openSession();
    const waiting = inSession(session, legacyCall('terminal_wait', { ms: 20_000 })).then((response) => response.text());
    await until(() => tools.waiting === 1);
    expect((await inSession(session, undefined, { method: 'DELETE' })).status).toBe(200);
    await until(() => tools.cancelled.length === 1);
    await waiting.catch(() => undefined);
  });
});

describe('a legacy session', () => {
  verifies('mcp:session-bound', async () => {
    const session = await openSession();
    for (const [method, body] of [
      ['POST', legacyCall('whoami', { text: 'x' })],
      ['GET', undefined],
      ['DELETE', undefined],
    ] as const) {
      expect([method, (await inSession(session, body, { method, token: BOB.id })).status]).toEqual([method, 404]);
      expect([method, (await inSession(session, body, { method, path: '/mcp/terminal' })).status]).toEqual([method, 404]);
      expect([method, (await inSession(crypto.randomUUID(), body, { method })).status]).toEqual([method, 404]);
    }
    const [own] = await messagesIn(await inSession(session, legacyCall('whoami', { text: 'mine' })));
    expect(own?.result?.structuredContent).toMatchObject({ id: 'alice', text: 'mine' });
  });

  it('has an id that nobody guesses, and ends for good', async () => {
    const sessions = await Promise.all([openSession(), openSession()]);
    for (const id of sessions) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const [ended] = sessions;
    await inSession(ended, undefined, { method: 'DELETE' });
    expect((await inSession(ended, legacyCall('whoami', { text: 'x' }))).status).toBe(404);
  });

  it('uses the rights of each message, not those of its beginning', async () => {
    const session = await openSession();
    api.directory.add({ ...ALICE, scopes: [] });
    const [refused] = await messagesIn(await inSession(session, legacyCall('terminal_plan', { text: 'x' })));
    api.directory.add(ALICE);
    expect(refused?.result).toMatchObject({ structuredContent: { error: { code: 'SCOPE_MISSING' } } });
  });

  it('gives way to the newest when one caller has too many', async () => {
    api.directory.add(alike(ALICE, 'many'));
    const ids: string[] = [];
    for (let count = 0; count < 33; count += 1) {
      ids.push(await openSession('many'));
      api.clock.aheadMs += 1;
    }
    const [oldest = '', second = ''] = ids;
    expect((await inSession(oldest, legacyCall('whoami', { text: 'x' }), { token: 'many' })).status).toBe(404);
    expect((await inSession(second, legacyCall('whoami', { text: 'x' }), { token: 'many' })).status).toBe(200);
  });

  it('ends when it is idle for half an hour, but not while a stream is open', async () => {
    const sessions = api.get(LegacySessions);
    const [idle, used] = [await openSession(), await openSession()];
    const stream = await inSession(used, undefined, { method: 'GET' });
    api.clock.aheadMs += 31 * 60_000;
    await sessions.sweep();
    expect((await inSession(idle, legacyCall('whoami', { text: 'x' }))).status).toBe(404);
    expect((await inSession(used, legacyCall('whoami', { text: 'x' }))).status).toBe(200);
    await stream.body?.cancel();
  });

  it('is not kept when its initialize was refused', async () => {
    const before = api.get(LegacySessions).size;
    const { params, ...rest } = initialize();
    const response = await api.send({ ...rest, params: { ...params, clientInfo: 7 } });
    await response.text();
    expect(api.get(LegacySessions).size).toBe(before);
  });

  it('hears of the resources that it follows, and of no others', async () => {
    const session = await openSession();
    const stream = await inSession(session, undefined, { method: 'GET' });
    const follow = (uri: string) =>
      inSession(session, { jsonrpc: '2.0', id: uri, method: 'resources/subscribe', params: { uri } }).then(messagesIn);
    expect((await follow('plan://one'))[0]?.result).toEqual({});
    expect((await follow('plan://hidden'))[0]?.error).toMatchObject({ code: -32602 });
    for (const uri of ['plan://hidden', 'plan://two', 'plan://one']) api.get(McpChanges).resourceUpdated(uri);
    const reader = stream.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    const { value } = await reader.read();
    expect(Buffer.from(value ?? []).toString()).toContain('plan://one');
    expect(Buffer.from(value ?? []).toString()).not.toMatch(/plan:\/\/(two|hidden)/);
    await reader.cancel();
  });
});

describe('a stream that listens', () => {
  const listen = (uris: readonly string[], options: SendOptions = {}) =>
    post(modern('subscriptions/listen', { notifications: { resourcesListChanged: true, resourceSubscriptions: uris } }, 'listen'), options);
  const readerOf = ({ body }: Response) => body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const textOf = async (reader: ReadableStreamDefaultReader<Uint8Array>) => Buffer.from((await reader.read()).value ?? []).toString();

  it('is acknowledged first, then hears of what it asked for', async () => {
    const reader = readerOf(await listen(['plan://one']));
    expect(await textOf(reader)).toContain('notifications/subscriptions/acknowledged');
    api.get(McpChanges).resourceUpdated('plan://two');
    await (await post(call('terminal_plan', { text: 'one' }))).text(); // the tool tells
    expect(await textOf(reader)).toMatch(/resources\/updated.*plan:\/\/one/);
    await reader.cancel();
  });

  verifies('mcp:listen-readable', 'unreadable', async () => {
    for (const [uri, token] of [
      ['plan://hidden', ALICE.id],
      ['plan://bug', ALICE.id],
      ['plan://one', READER.id],
      ['nothing://x', ALICE.id],
    ] as const) {
      expect(await answer(listen([uri], { token }))).toMatchObject({ status: 400, id: 'listen', error: { code: -32602 } });
    }
  });

  verifies('mcp:listen-readable', 'expired, revoked', async () => {
    const streams = api.get(OpenStreams);
    const [brief, revoked] = [{ ...alike(ALICE, 'brief'), expiresAt: api.clock.now() + 1_000 }, alike(ALICE, 'revoked')];
    api.directory.add(brief);
    api.directory.add(revoked);
    const readers = (await Promise.all([listen([], { token: 'brief' }), listen([], { token: 'revoked' }), listen([])])).map(readerOf);
    await Promise.all(readers.map(textOf));
    expect(streams.size).toBeGreaterThanOrEqual(3);
    const before = streams.size;
    api.directory.known.delete('revoked');
    api.clock.aheadMs += 2_000;
    await streams.sweep();
    const [first, second, third] = readers;
    await expect(first?.read()).rejects.toThrow();
    await expect(second?.read()).rejects.toThrow();
    await until(() => streams.size === before - 2);
    await third?.cancel();
    await until(() => streams.size === before - 3);
  });

  it('is bounded per caller', async () => {
    api.directory.add(alike(ALICE, 'greedy'));
    const open = await Promise.all(Array.from({ length: 32 }, () => listen([], { token: 'greedy' })));
    expect((await listen([], { token: 'greedy' })).status).toBe(429);
    expect((await listen([])).status).toBe(200);
    for (const { body } of open) await body?.cancel();
  });
});

describe('the log', () => {
  verifies('mcp:log-without-arguments', async () => {
    api.logs.length = 0;
    const response = await post(call('terminal_plan', { text: 'private words' }), { headers: { 'x-request-id': 'my-request' } });
    await response.text();
    const line = api.logs.map((text) => JSON.parse(text) as Record<string, unknown>).find(({ msg }) => msg === 'call');
    expect(line).toMatchObject({ name: 'terminal_plan', outcome: 'ok', principal: 'alice', channel: 'mcp', requestId: 'my-request' });
    expect(api.logs.join('')).not.toMatch(/private words|Bearer/);
  });

  it('holds the stack of a bug under the id of its request', async () => {
    api.logs.length = 0;
    await (await post(call('terminal_plan', { text: 'bug' }), { headers: { 'x-request-id': 'bug-request' } })).text();
    const line = api.logs.map((text) => JSON.parse(text) as Record<string, unknown>).find(({ msg }) => msg === 'call failed');
    expect(line).toMatchObject({ requestId: 'bug-request', err: { stack: expect.stringContaining('sample-tools') as string } });
  });

  it('calls a cancelled call cancelled, and no bug', async () => {
    api.logs.length = 0;
    const abort = new AbortController();
    const left = post(call('terminal_wait', { ms: 20_000 }), { signal: abort.signal }).catch(() => undefined);
    await until(() => tools.waiting === 1);
    abort.abort();
    await left;
    await until(() => api.logs.some((line) => line.includes('"msg":"call"')));
    expect(api.logs.join('')).not.toContain('call failed');
  });
});
