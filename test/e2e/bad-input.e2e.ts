import { jest } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { ERRORS, SCOPES, type CreatedToken, type ErrorCode, type Plan, type Session, type WireError, type Workspace } from '#contracts';
import { FirstOwner } from '#auth';
import { Clock } from '#platform';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { call, execute, NO_SUCH_ID, PASSWORD, plan, type PlanAnswer, refOf, vote } from '../support/flow.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(120_000);

let api: Booted;
let owner: ConsoleClient;
let agent: Client;
/** May do everything, so that nothing but the input can be the reason of a refusal. */
let everything: string;
let waiting: PlanAnswer;

beforeAll(async () => {
  api = await boot({ env: { RATE_LIMIT_PER_MINUTE: '1000000', MAX_CONCURRENT_SESSIONS: '1000' } });
  owner = await api.owner();
  agent = await api.mcp();
  everything = ((await owner.post('/api/tokens', { name: 'everything', scopes: SCOPES })) as CreatedToken).secret;
  waiting = await plan(agent, ['touch', 'kept']);
});
/** Whatever was thrown at it: what waited still waits, and works. */
afterAll(async () => {
  expect(await owner.get(`/api/asks/${waiting.ask_id}`)).toMatchObject({ status: 'open', votes: [] });
  await vote(owner, waiting);
  expect(await execute(agent, waiting)).toMatchObject({ receipt: { status: 'succeeded' } });
  await api.close();
});

interface Refusal {
  readonly status: number;
  readonly error: WireError | undefined;
}

async function send(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
  token = everything,
): Promise<Refusal> {
  const leaving = new AbortController();
  const response = await api.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
    signal: leaving.signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? '' : await response.text();
  leaving.abort();
  const parsed = response.headers.get('content-type')?.startsWith('application/json') === true ? (JSON.parse(text) as unknown) : undefined;
  return { status: response.status, error: (parsed as { error?: WireError } | undefined)?.error };
}

/** What is wrong with a refusal itself; empty when it is one that a caller can act on. */
function faults(what: string, { status, error }: Refusal): string[] {
  if (status < 400) return [];
  if (!error || !(error.code in ERRORS)) return [`${what}: ${status} without a code`];
  const row = ERRORS[error.code];
  const isTold = error.message.length > 5 && error.retry === row.retry && typeof error.details === 'object';
  return row.http === status && status !== 500 && isTold ? [] : [`${what}: ${status} ${JSON.stringify(error)}`];
}

const writing = (): string[] =>
  [...new Set(api.routes.map(({ method, url }) => `${method} ${url}`))].filter((route) => /^(POST|PATCH|PUT|DELETE) \/api\//.test(route));
const reading = (): string[] =>
  [...new Set(api.routes.map(({ method, url }) => `${method} ${url}`))].filter(
    (route) => /^GET \/(api|health|ready|metrics)/.test(route) && !route.includes('docs'),
  );
const at = (route: string, id: string): readonly [string, string] => {
  const [method = '', url = ''] = route.split(' ');
  return [method, url.replaceAll(/:\w+|\*/g, id)];
};

describe('every REST route', () => {
  verifies('input:stable-codes', 'bodies of every wrong shape', async () => {
    const bodies = [
      '{"argv":',
      '',
      'null',
      '[]',
      '"text"',
      '7',
      'true',
      '{"no_such_field":1}',
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{}}}',
      '[[[[{}]]]]',
      '\u0000',
      '{"a":"\\ud800"}',
    ];
    const found: string[] = [];
    const accepted: string[] = [];
    for (const route of writing()) {
      for (const body of bodies) {
        const [method, path] = at(route, NO_SUCH_ID);
        const answer = await send(method, path, body);
        found.push(...faults(`${route} ${JSON.stringify(body)}`, answer));
        if (answer.status < 400) accepted.push(`${route} ${body}`);
      }
    }
    expect(found).toEqual([]);
    // A field that nobody knows is refused wherever a body is read; a body where none is read does no harm.
    expect(accepted.filter((each) => /no_such_field|__proto__|"argv"/.test(each) && !/logout|verify|DELETE/.test(each))).toEqual([]);
  });

  verifies('input:stable-codes', 'fields of every wrong type, after the description of the API', async () => {
    const document = (await owner.get('/api/docs-json')) as OpenApi;
    const values = [
      null,
      7,
      -1,
      1e308,
      true,
      '',
      'x',
      'x'.repeat(5_000),
      '\u0000',
      '\u202e',
      [],
      [null],
      {},
      { $gt: '' },
      NO_SUCH_ID,
      '2026-01-01',
      ['x'.repeat(1_000)],
    ];
    const found: string[] = [];
    const there = await throwaways();
    let sent = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { properties = {}, required = [] } = schemaOf(operation, document);
        for (const name of Object.keys(properties)) {
          for (const value of values) {
            const body = { ...plausible(properties, required), [name]: value };
            for (const id of [NO_SUCH_ID, there[path.split('/')[2] ?? ''] ?? NO_SUCH_ID]) {
              const answer = await send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, id), JSON.stringify(body));
              found.push(...faults(`${method} ${path} ${name}=${JSON.stringify(value).slice(0, 40)}`, answer));
              sent += 1;
            }
          }
        }
      }
    }
    expect(found).toEqual([]);
    expect(sent).toBeGreaterThan(300); // the description really describes the bodies
  });

  verifies('input:stable-codes', 'ids and queries that are none', async () => {
    const found: string[] = [];
    const missing: string[] = [];
    const ids = [
      '7',
      NO_SUCH_ID.toUpperCase(),
      `${NO_SUCH_ID}0`,
      '..%2f..',
      '%00',
      '%ff',
      "'%20or%201=1",
      'x'.repeat(300),
      '__proto__',
      'null',
    ];
    const queries = [
      'limit=abc',
      'limit=-1',
      'limit=1e9',
      'limit=1&limit=2',
      'before=x',
      'before=',
      'after=-1',
      'after=x',
      'session=x',
      'status=x',
      'q=%00',
      'unknown=1',
      '%ff=1',
      'state=nothing',
      'active=maybe',
      'reveal=x',
      '__proto__[x]=1',
    ];
    for (const route of [...reading(), ...writing()]) {
      const [method] = at(route, '');
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{}';
      if (route.includes(':')) {
        for (const id of ids) found.push(...faults(`${route} ${id}`, await send(method, at(route, id)[1], body)));
        const unknown = await send(method, at(route, NO_SUCH_ID)[1], method === 'PATCH' ? '{"name":"other"}' : body);
        found.push(...faults(`${route} unknown`, unknown));
        if (unknown.status < 400 || unknown.status >= 500) missing.push(`${route} ${unknown.status}`);
      }
      for (const query of queries)
        found.push(...faults(`${route}?${query}`, await send(method, `${at(route, NO_SUCH_ID)[1]}?${query}`, body)));
    }
    expect(found).toEqual([]);
    expect(missing).toEqual([]);
  });

  verifies('input:stable-codes', 'bodies that are too large or of another kind', async () => {
    const found: string[] = [];
    const large = JSON.stringify({ text: 'x'.repeat(1_200_000) });
    for (const route of writing()) {
      const [method, path] = at(route, NO_SUCH_ID);
      const tooLarge = await send(method, path, large);
      if (tooLarge.error?.code !== 'BODY_TOO_LARGE') found.push(`${route} large ${tooLarge.status} ${String(tooLarge.error?.code)}`);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/jsonx',
        '',
      ]) {
        const other = await send(method, path, 'a=1', { 'content-type': type });
        if (other.error?.code !== 'CONTENT_TYPE_UNSUPPORTED') found.push(`${route} ${type} ${other.status} ${String(other.error?.code)}`);
      }
    }
    expect(found).toEqual([]);
  });

  /** Ids of things that exist and that nobody misses, by the part of the path that they belong to. */
  async function throwaways(): Promise<Record<string, string>> {
    const { id: people } = (await owner.post('/api/people', { name: 'Nemo', password: PASSWORD, roles: ['viewer'] })) as { id: string };
    const root = join(dirname(api.dataDir), 'thrown');
    mkdirSync(root);
    const { id: workspaces } = (await owner.post('/api/workspaces', { name: 'thrown', root, mode: 'inspect' })) as Workspace;
    const { plan_id: plans, ask_id: asks } = await plan(agent, ['touch', 'thrown']);
    return { people, workspaces, plans, asks };
  }

  interface OpenApi {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  }
  interface Schema {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  }
  interface Operation {
    readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: { readonly $ref?: string } } } };
  }
  interface Property {
    readonly type?: string;
    readonly format?: string;
    readonly enum?: readonly string[];
    readonly items?: Property;
  }

  function schemaOf({ requestBody }: Operation, { components }: OpenApi): Schema {
    const name = requestBody?.content['application/json'].schema.$ref?.split('/').at(-1);
    return (name === undefined ? undefined : components.schemas[name]) ?? {};
  }

  /** Something for every field that must be there, so that the one under test is what is wrong. */
  function plausible(properties: Readonly<Record<string, Property>>, required: readonly string[]): Record<string, unknown> {
    const one = ({ type, format, enum: [first] = [], items }: Property): unknown => {
      if (first !== undefined) return first;
      if (format === 'uuid') return NO_SUCH_ID;
      if (type === 'array') return [one(items ?? {})];
      return { number: 1, boolean: false, object: {} }[type ?? ''] ?? 'some text of some length';
    };
    return Object.fromEntries(required.map((name) => [name, one(properties[name] ?? {})]));
  }
});

describe('every tool', () => {
  verifies('input:stable-codes', 'over MCP', async () => {
    const client = await api.mcp({ token: everything });
    const { tools } = await client.listTools();
    const values = [null, 7, -1, 1.5, true, '', 'x', '\u0000', 'x'.repeat(200_000), [], [null], {}, NO_SUCH_ID, 'A'.repeat(64)];
    const found: string[] = [];
    const knock = async (name: string, args: Record<string, unknown>): Promise<WireError | undefined> => {
      const { error } = await call(client, name, args);
      if (error && (!(error.code in ERRORS) || error.code === 'INTERNAL' || error.message.length < 6))
        found.push(`${name} ${JSON.stringify(args).slice(0, 80)} ${JSON.stringify(error)}`);
      return error;
    };
    for (const { name, inputSchema } of tools) {
      const properties = Object.keys(inputSchema.properties ?? {});
      expect(await knock(name, { no_such_argument: 1 })).toMatchObject({ code: 'INPUT_INVALID' });
      for (const property of properties) {
        const rest = Object.fromEntries(
          properties.filter((each) => each.endsWith('_id') && each !== 'request_id').map((each) => [each, NO_SUCH_ID]),
        );
        for (const value of values) await knock(name, { ...rest, [property]: value });
      }
      const required = inputSchema.required ?? [];
      if (required.length > 0) expect(await knock(name, {})).toMatchObject({ code: 'INPUT_INVALID' });
    }
    expect(found).toEqual([]);
  });

  verifies('input:stable-codes', 'messages that are none', async () => {
    const raw = async (body: string, headers: Record<string, string> = {}): Promise<number> =>
      (
        await api.fetch('/mcp', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${everything}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          body,
        })
      ).status;
    const statuses = await Promise.all([
      raw('{"jsonrpc":'),
      raw(''),
      raw('null'),
      raw('[]'),
      raw('7'),
      raw('{"jsonrpc":"1.0","id":1,"method":"tools/list"}'),
      raw('{"jsonrpc":"2.0","id":{},"method":"tools/list"}'),
      raw('{"jsonrpc":"2.0","id":1,"method":7}'),
      raw(JSON.stringify(Array.from({ length: 17 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))),
      raw('['.repeat(200) + ']'.repeat(200)),
      raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { text: 'x'.repeat(1_200_000) } })),
      raw('{}', { 'content-type': 'text/plain' }),
      raw('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { 'mcp-session-id': 'no-such-session' }),
      raw('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { 'mcp-protocol-version': '1999-01-01' }),
    ]);
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect([statuses[10], statuses[11], statuses[12]]).toEqual([413, 415, 404]);
  });
});

describe('named refusals', () => {
  const codeOf = async (promise: Promise<Refusal>): Promise<readonly [number, ErrorCode | undefined]> => {
    const { status, error } = await promise;
    return [status, error?.code];
  };
  const post = (path: string, body: unknown, token?: string): Promise<readonly [number, ErrorCode | undefined]> =>
    codeOf(send('POST', path, JSON.stringify(body), {}, token));

  it('of links that were used, are old, or never were', async () => {
    const used = new URLSearchParams(new URL(api.link).hash.slice(1)).get('token') ?? '';
    for (const token of [used, 'A'.repeat(43)])
      expect(await post('/api/auth/welcome', { token, name: 'Eve', password: PASSWORD })).toEqual([410, 'LINK_INVALID']);
    const fresh = await boot();
    try {
      const clock = fresh.app.get(Clock);
      const now = clock.now.bind(clock);
      clock.now = () => now() + 16 * 60_000;
      await expect(new ConsoleClient(fresh.url).welcome(fresh.link)).rejects.toThrow(/410.*LINK_INVALID.*15 minutes/);
      const another = await fresh.app.get(FirstOwner).invite();
      await new ConsoleClient(fresh.url).welcome(another?.url ?? '');
    } finally {
      await fresh.close();
    }
  });

  it('of scopes that are missing, by name', async () => {
    const { secret } = (await owner.post('/api/tokens', { name: 'reader', scopes: ['receipts:read'] })) as CreatedToken;
    const answer = await send('POST', '/api/plans', '{"argv":["ls"]}', {}, secret);
    expect(answer).toMatchObject({ status: 403, error: { code: 'SCOPE_MISSING', details: { scope: 'terminal:plan' } } });
    const reader = await api.mcp({ token: secret });
    expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain('terminal_plan');
    expect(await call(reader, 'terminal_plan', { argv: ['ls'] })).toMatchObject({
      error: { code: 'SCOPE_MISSING', details: { scope: 'terminal:plan' } },
    });
    expect(await call(reader, 'policy_explain', { command: 'ls *' })).toMatchObject({ error: { code: 'SCOPE_MISSING' } });
    expect(await codeOf(send('POST', '/api/policy/explain', '{"command":"ls *"}', {}, secret))).toEqual([403, 'SCOPE_MISSING']);
    const workspaces = await api.fetch('/api/workspaces', { headers: { authorization: `Bearer ${secret}` } });
    expect(await workspaces.json()).toMatchObject({ items: [] });
  });

  it('of cursors, request ids, sessions and workspaces', async () => {
    expect(await codeOf(send('GET', '/api/receipts?before=x'))).toEqual([400, 'CURSOR_INVALID']);
    expect(await codeOf(send('GET', '/api/asks?state=closed&before=x'))).toEqual([400, 'CURSOR_INVALID']);
    expect(await codeOf(send('GET', '/api/events', undefined, { 'last-event-id': 'x' }))).toEqual([400, 'CURSOR_INVALID']);
    const request_id = crypto.randomUUID();
    const first = await call(agent, 'terminal_plan', { argv: ['ls'], request_id });
    expect(await call(agent, 'terminal_plan', { argv: ['ls'], request_id })).toEqual(first);
    expect(await call(agent, 'terminal_plan', { argv: ['pwd'], request_id })).toMatchObject({ error: { code: 'REQUEST_ID_CONFLICT' } });
    const session = (await owner.post('/api/sessions', {})) as Session;
    await owner.post(`/api/sessions/${session.id}/close`);
    expect(await codeOf(asOwner('/api/plans', { argv: ['ls'], sessionId: session.id }))).toEqual([410, 'SESSION_CLOSED']);
    const [workspace] = ((await owner.get('/api/workspaces')) as { items: Workspace[] }).items;
    for (const root of ['relative', '/no/such/folder', '/', api.dataDir])
      expect(await post('/api/workspaces', { name: `w${root.length}`, root, mode: 'inspect' })).toEqual([400, 'WORKSPACE_PATH_INVALID']);
    expect(await post('/api/workspaces', { name: workspace?.name, root: '/usr', mode: 'inspect' })).toEqual([409, 'WORKSPACE_NAME_TAKEN']);
    expect(await post('/api/plans', { argv: ['ls'], workspaceId: NO_SUCH_ID })).toEqual([404, 'WORKSPACE_NOT_FOUND']);
    expect(await post(`/api/plans/${NO_SUCH_ID}/execute`, {})).toEqual([404, 'PLAN_NOT_FOUND']);
    expect(await codeOf(send('GET', '/api/no/such/route'))).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  it('of what has been decided or has ended already', async () => {
    const planned = await plan(agent, ['touch', 'decided']);
    await vote(owner, planned);
    expect(await codeOf(asOwner(`/api/asks/${planned.ask_id}/votes`, { answer: 'deny', digest: planned.digest }))).toEqual([
      409,
      'ASK_ALREADY_RESOLVED',
    ]);
    await execute(agent, planned);
    const { runId } = (await owner.get(`/api/plans/${planned.plan_id}`)) as Plan;
    for (const verb of ['pause', 'resume', 'cancel'])
      expect(await codeOf(asOwner(`/api/runs/${String(runId)}/${verb}`, {}))).toEqual([409, 'RUN_ENDED']);
    expect(await codeOf(asOwner(`/api/plans/${planned.plan_id}/cancel`, {}))).toEqual([409, 'PLAN_STATUS_CONFLICT']);
    expect(await call(agent, 'terminal_cancel', refOf(planned))).toMatchObject({ error: { code: 'RUN_ENDED' } });
  });

  async function asOwner(path: string, body: unknown): Promise<Refusal> {
    const response = await owner.request('POST', path, body);
    return { status: response.status, error: ((await response.json()) as { error?: WireError }).error };
  }
});
