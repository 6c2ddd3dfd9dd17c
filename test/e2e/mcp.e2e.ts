import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/client';
import { McpRegistry } from '#mcp';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import {
  legacyOverHttp,
  legacyOverStdio,
  modernOverHttp,
  modernOverStdio,
  statelessLegacyOverHttp,
  type ClientOptions,
  type HttpTarget,
} from '../support/mcp-clients.js';
import { cli } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';
import frozen from './frozen-tools.json' with { type: 'json' };

let api: Booted;
let owner: ConsoleClient;

beforeAll(async () => {
  api = await boot();
  owner = await api.owner();
});
afterAll(() => api.close());

type AnyClient = Awaited<ReturnType<typeof modernOverHttp>> | Awaited<ReturnType<typeof legacyOverHttp>>;
type Answer = Record<string, unknown> & { error?: { code: string } };

const overHttp = (open: (target: HttpTarget) => Promise<AnyClient>) => (options: ClientOptions) =>
  open({ url: `${api.url}/mcp`, token: api.agentToken, ...options });
/** The built product as a child process on the data folder of the server that runs here. */
const overStdio = (open: typeof modernOverStdio | typeof legacyOverStdio) => (options: ClientOptions) =>
  open({
    command: process.execPath,
    args: ['--enable-source-maps', cli, 'stdio'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      COUNTERSIGN_DATA: api.dataDir,
      LOG_LEVEL: 'error',
      PUBLIC_URL: api.url,
    },
    ...options,
  });

const clients: readonly (readonly [string, (options: ClientOptions) => Promise<AnyClient>])[] = [
  ['modern, HTTP', overHttp(modernOverHttp)],
  ['legacy with a session, HTTP', overHttp(legacyOverHttp)],
  ['legacy without a session, HTTP', overHttp(statelessLegacyOverHttp)],
  ['modern, STDIO', overStdio(modernOverStdio)],
  ['legacy, STDIO', overStdio(legacyOverStdio)],
];

async function call(client: AnyClient, name: string, args: Record<string, unknown>): Promise<Answer> {
  const { structuredContent, content } = await client.callTool({ name, arguments: args });
  const [block] = content as { text?: string }[];
  expect(JSON.parse(block?.text ?? '')).toEqual(structuredContent);
  return structuredContent as Answer;
}

const vote = (plan: Answer, answer: 'approve' | 'deny') =>
  owner.post(`/api/asks/${String(plan['ask_id'])}/votes`, { answer, digest: plan['digest'] });
const refOf = ({ session_id, plan_id }: Answer) => ({ session_id, plan_id });

describe.each(clients)('a %s client', (name, connect) => {
  const file = `${name.replaceAll(/\W+/g, '-')}.txt`;

  verifies('mcp:whole-flow', name, async () => {
    const client = await connect({});
    await client.listTools(); // from now on it holds answers against their schemas
    const plan = await call(client, 'terminal_plan', { argv: ['touch', file] });
    expect(plan).toMatchObject({ status: 'awaiting_approval', decision: { outcome: 'ask', requires_approval: true } });
    expect(await call(client, 'terminal_execute', refOf(plan))).toMatchObject({ status: 'pending_approval', ask_id: plan['ask_id'] });
    const waiting = call(client, 'terminal_wait', refOf(plan));
    await vote(plan, 'approve');
    expect(await waiting).toMatchObject({ status: 'approved' });
    const finished = await call(client, 'terminal_execute', refOf(plan));
    expect(finished).toMatchObject({ receipt: { status: 'succeeded', exit_code: 0, plan_id: plan['plan_id'] }, evidence: {}, proof: {} });
    expect(existsSync(join(api.workspace, file))).toBe(true);
    expect(await call(client, 'terminal_execute', refOf(plan))).toMatchObject({ error: { code: 'PLAN_ALREADY_RUN' } });
    const { contents } = await client.readResource({ uri: `plan://${String(plan['plan_id'])}` });
    expect(contents).toMatchObject([{ mimeType: 'application/json' }]);
    await client.close();
  });
});

describe.each(clients.filter(([name]) => !name.includes('without')))('a %s client that can open a page', (name, connect) => {
  const agree = { elicitation: { url: {} }, answer: () => ({ action: 'accept' as const }) };

  verifies('mcp:opens-console', name, async () => {
    const opened = Promise.withResolvers<unknown>();
    const client = await connect({
      ...agree,
      answer: (params) => {
        opened.resolve((params as { url?: unknown }).url);
        return { action: 'accept' };
      },
    });
    const plan = await call(client, 'terminal_plan', { argv: ['mkdir', name.replaceAll(/\W+/g, '-')] });
    const running = call(client, 'terminal_execute', refOf(plan));
    expect(await opened.promise).toBe(`${api.url}/asks/${String(plan['ask_id'])}`);
    await vote(plan, 'approve');
    expect(await running).toMatchObject({ receipt: { status: 'succeeded' } });
    await client.close();
  });

  it('hears when the person says no', async () => {
    const client = await connect(agree);
    const plan = await call(client, 'terminal_plan', { argv: ['mkdir', 'never'] });
    const running = call(client, 'terminal_execute', refOf(plan));
    await vote(plan, 'deny');
    expect(await running).toMatchObject({ error: { code: 'PLAN_REJECTED' } });
    await client.close();
  });
});

describe('the served tools', () => {
  let tools: readonly Tool[];

  beforeAll(async () => {
    const client = await api.mcp();
    ({ tools } = await client.listTools());
  });

  it('are few, annotated and plain, so that no client drops them', () => {
    expect(tools.length).toBeLessThanOrEqual(40);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z0-9_]{1,40}$/);
      expect([name, title, description].every(Boolean)).toBe(true);
      expect(Object.keys(annotations ?? {})).toEqual(
        expect.arrayContaining(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']),
      );
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema).toMatchObject({ type: 'object' });
        expect(JSON.stringify(schema)).not.toMatch(/"(\$ref|\$defs|format|\$schema|propertyNames)":/);
      }
      expect(Object.keys(inputSchema)).toEqual(expect.arrayContaining(['type', 'properties']));
      expect(Object.keys(inputSchema).filter((key) => /^(anyOf|oneOf|allOf|not|if)$/.test(key))).toEqual([]);
      expect('request_id' in (inputSchema.properties ?? {})).toBe(annotations?.readOnlyHint === false);
    }
  });

  // The expectation is a literal file, never computed from source: a changed description shows in review.
  verifies('mcp:tools-frozen', async () => {
    await Promise.resolve();
    const served = [...api.app.get(McpRegistry).tools.values()].map(({ listed }) => listed);
    const digests = served.map((tool) => [tool.name, createHash('sha256').update(JSON.stringify(tool)).digest('hex').slice(0, 16)]);
    expect(Object.fromEntries(digests)).toEqual(frozen);
    expect(served).toEqual(expect.arrayContaining([...tools]));
  });
});

describe('the end of input', () => {
  verifies('mcp:end-of-input', 'ends a run with a receipt', async () => {
    const child = spawn(process.execPath, [cli, 'stdio'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, COUNTERSIGN_DATA: api.dataDir, LOG_LEVEL: 'error' },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const lines = () =>
      output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { id: unknown; result?: { structuredContent?: Answer } });
    const answer = async (id: number): Promise<Answer> => {
      for (const deadline = Date.now() + 20_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 20))) {
        const found = lines().find((line) => line.id === id);
        if (found) return found.result?.structuredContent ?? {};
      }
      throw new Error(`No answer to ${id}: ${output}`);
    };
    const say = (id: number, name: string, args: object) => {
      const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: meta } })}\n`,
      );
    };
    say(1, 'terminal_plan', { argv: ['sleep', '30'] });
    const plan = await answer(1);
    if (plan['status'] === 'awaiting_approval') await vote(plan, 'approve');
    say(2, 'terminal_execute', refOf(plan));
    const active = async () => (await owner.get('/api/runs?active=true')) as { items: { planId: string }[] };
    while (!(await active()).items.some(({ planId }) => planId === plan['plan_id']))
      await new Promise((resolve) => setTimeout(resolve, 50));
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(lines().length).toBeGreaterThan(0); // every line of the output was the protocol's
    expect(await owner.get(`/api/plans/${String(plan['plan_id'])}`)).toMatchObject({
      status: 'cancelled',
      receiptId: expect.any(String) as string,
    });
  });
});

it('the Inspector lists and calls tools with a bearer token', async () => {
  const inspector = join(process.cwd(), 'node_modules/.bin/mcp-inspector');
  const run = async (...args: string[]) => {
    const child = spawn(
      inspector,
      [
        '--cli',
        `${api.url}/mcp`,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${api.agentToken}`,
        '--format',
        'json',
        ...args,
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, MCP_INSPECTOR_SECRET_STORE: 'memory' },
      },
    );
    let [output, complaints] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const code = await new Promise((resolve) => child.on('close', resolve));
    return { code, output, complaints };
  };
  const listed = await run('--method', 'tools/list');
  expect(listed.code).toBe(0);
  expect(listed.output).toContain('terminal_plan');
  expect(listed.complaints).toBe('');
  const called = await run('--method', 'tools/call', '--tool-name', 'whoami');
  expect(called.code).toBe(0);
  expect(called.output).toContain('terminal:plan');
});
