import { ALICE, bootMcp, READER, type McpApp } from '../../../test/support/mcp-app.js';
import {
  legacyOverHttp,
  modernOverHttp,
  statelessLegacyOverHttp,
  type Answerer,
  type ClientOptions,
} from '../../../test/support/mcp-clients.js';
import { verifies } from '../../../test/support/verifies.js';
import { SamplePrompts, SampleResources, SampleTools } from '../../../test/support/sample-tools.js';

let api: McpApp;
let tools: SampleTools;

beforeAll(async () => {
  api = await bootMcp([SampleTools, SampleResources, SamplePrompts], { RATE_LIMIT_PER_MINUTE: '1000000' });
  tools = api.get(SampleTools);
});
afterAll(() => api.close());

const both = [
  ['modern', modernOverHttp],
  ['auto', (target: Parameters<typeof modernOverHttp>[0]) => modernOverHttp({ ...target, mode: 'auto' })],
  ['legacy with a session', legacyOverHttp],
  ['legacy without a session', statelessLegacyOverHttp],
] as const;

const connect = (open: (typeof both)[number][1], options: ClientOptions & { token?: string; path?: string } = {}) =>
  open({ url: `${api.url}${options.path ?? '/mcp'}`, token: options.token ?? ALICE.id, ...options });

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
}

describe.each(both)('a %s client', (_name, open) => {
  it('lists annotated tools in the order of names, each a plain object', async () => {
    const client = await connect(open);
    const { tools: listed, nextCursor } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(['terminal_execute', 'terminal_output', 'terminal_plan', 'terminal_wait', 'whoami']);
    expect(nextCursor).toBeUndefined();
    for (const { title, inputSchema, outputSchema, annotations } of listed) {
      expect(title).toBeTruthy();
      expect(inputSchema).toMatchObject({ type: 'object', properties: {} });
      expect(outputSchema).toMatchObject({ type: 'object', properties: {} });
      expect(Object.keys(annotations ?? {}).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
        'title',
      ]);
    }
    expect(listed.find(({ name }) => name === 'terminal_plan')?.inputSchema.properties).toHaveProperty('request_id');
    expect(listed.find(({ name }) => name === 'whoami')?.inputSchema.properties).not.toHaveProperty('request_id');
    await client.close();
  });

  verifies('mcp:both-eras', async () => {
    const client = await connect(open);
    await client.listTools(); // the client now checks answers against the schemas
    const { structuredContent, content, isError } = (await client.callTool({ name: 'whoami', arguments: { text: 'hi' } })) as Result;
    expect(structuredContent).toEqual({ id: 'alice', text: 'hi', channel: 'mcp' });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(isError).toBeFalsy();
    await client.close();
  });

  it('gets a link beside the answer', async () => {
    const client = await connect(open);
    const { content } = (await client.callTool({ name: 'terminal_plan', arguments: { text: 'link' } })) as Result;
    expect(content.map(({ type, uri }) => uri ?? type)).toEqual(['text', 'plan://link']);
    await client.close();
  });

  it.each([
    ['a refusal', 'terminal_plan', { text: 'denied' }, { code: 'PLAN_BLOCKED', retry: 'after_change', details: { reasons: ['because'] } }],
    ['a bug', 'terminal_plan', { text: 'bug' }, { code: 'INTERNAL', message: 'Unexpected failure', details: {} }],
    [
      'a wrong type',
      'terminal_plan',
      { text: 7 },
      { code: 'INPUT_INVALID', details: { issues: [{ path: 'text', rule: 'must be a string' }] } },
    ],
    ['no arguments', 'terminal_plan', undefined, { code: 'INPUT_INVALID', details: { issues: [{ path: 'text', rule: 'is required' }] } }],
    ['an unknown argument', 'terminal_plan', { text: 'x', txet: 1 }, { code: 'INPUT_INVALID' }],
    ['a request_id that is no text', 'terminal_plan', { text: 'x', request_id: 7 }, { code: 'INPUT_INVALID' }],
    ['a request_id where nothing changes', 'whoami', { text: 'x', request_id: 'a' }, { code: 'INPUT_INVALID' }],
  ])('gets %s as an error that both clients accept', async (_case, name, args, error) => {
    const client = await connect(open);
    await client.listTools();
    const result = (await client.callTool({ name, ...(args && { arguments: args }) })) as Result;
    expect(result).toMatchObject({ isError: true, structuredContent: { error } });
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    expect(JSON.stringify(result)).not.toContain('secret');
    await client.close();
  });

  it('sees only what its scopes allow, and hears which scope is missing', async () => {
    const client = await connect(open, { token: READER.id });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['terminal_output', 'whoami']);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['receipts://all']);
    expect(await client.callTool({ name: 'terminal_plan', arguments: { text: 'x' } })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'SCOPE_MISSING', details: { scope: 'terminal:plan' } } },
    });
    await client.close();
  });

  it('sees the terminal tools alone on their own address', async () => {
    const client = await connect(open, { path: '/mcp/terminal' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
    await client.close();
  });

  it('refuses an unknown tool and an unknown cursor with -32602', async () => {
    const client = await connect(open);
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.listTools({ cursor: 'page2' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.listResources({ cursor: 'page2' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('reads resources, completes their names and gets prompts', async () => {
    const client = await connect(open);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['receipts://all', 'plan://one']);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'workspace:///{+path}',
      'plan://{id}',
    ]);
    expect(await client.readResource({ uri: 'plan://a%20b' })).toMatchObject({
      contents: [{ uri: 'plan://a%20b', mimeType: 'application/json', text: '{"id":"a b","for":"alice"}' }],
    });
    expect(await client.readResource({ uri: 'workspace:///src/%2e%2e/x' })).toMatchObject({ contents: [{ text: 'at src/../x' }] });
    expect(await client.readResource({ uri: 'workspace:///pic.png' })).toMatchObject({
      contents: [{ mimeType: 'image/png', blob: 'AQID' }],
    });
    const ref = { type: 'ref/resource' as const, uri: 'plan://{id}' };
    expect(await client.complete({ ref, argument: { name: 'id', value: 'o' } })).toMatchObject({
      completion: { values: ['one', 'other'], total: 2, hasMore: false },
    });
    expect((await client.listPrompts()).prompts).toMatchObject([
      {
        name: 'safe_terminal_task',
        arguments: [
          { name: 'task', required: true },
          { name: 'hint', required: false },
        ],
      },
    ]);
    expect(await client.getPrompt({ name: 'safe_terminal_task', arguments: { task: 'it' } })).toMatchObject({
      messages: [{ role: 'user', content: { text: 'Do it' } }],
    });
    await expect(client.getPrompt({ name: 'safe_terminal_task', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it.each(['plan://hidden', 'nothing://x', 'plan://%E0%A4%A', `plan://${'x'.repeat(9_000)}`])('does not find %.20s', async (uri) => {
    const client = await connect(open);
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('reports progress only forward, at most four times a second, and only when asked', async () => {
    const client = await connect(open);
    const seen: number[] = [];
    const startedAt = performance.now();
    const params = { name: 'terminal_output', arguments: { steps: 40 } };
    const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
    const asked =
      'getProtocolEra' in client ? await client.callTool(params, { onprogress }) : await client.callTool(params, undefined, { onprogress });
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(asked.structuredContent).toEqual({ asked: true });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(seen.length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1);
    expect((await client.callTool({ name: 'terminal_output', arguments: { steps: 1 } })).structuredContent).toEqual({ asked: false });
    await client.close();
  });

  verifies('mcp:first-answer', async () => {
    const client = await connect(open);
    const request_id = crypto.randomUUID();
    const before = tools.done.length;
    const ask = () => client.callTool({ name: 'terminal_plan', arguments: { text: 'once', request_id } });
    const answers = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
    answers.push(await ask());
    expect(new Set(answers.map(({ structuredContent }) => JSON.stringify(structuredContent))).size).toBe(1);
    expect(tools.done.length).toBe(before + 1);
    expect(await client.callTool({ name: 'terminal_plan', arguments: { text: 'other', request_id } })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'REQUEST_ID_CONFLICT' } },
    });
    await client.close();
  });

  it('says pending where the client can be asked nothing', async () => {
    const client = await connect(open);
    const { structuredContent } = await client.callTool({ name: 'terminal_execute', arguments: { text: 'x', how: 'url' } });
    expect(structuredContent).toEqual({ action: 'pending_approval', rounds: 1 });
    await client.close();
  });

  it('goes on through rounds that ask nothing', async () => {
    const client = await connect(open);
    const { structuredContent } = await client.callTool({ name: 'terminal_execute', arguments: { text: 'x', how: 'wait' } });
    expect(structuredContent).toEqual({ action: 'waited', rounds: 3 });
    await client.close();
  });
});

describe.each([both[0], both[1], both[2]])('a %s client that can be asked', (_name, open) => {
  const agree: Answerer = (params) => (params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { agreed: true } });
  const elicitation = { form: {}, url: {} };

  it('fills in a form', async () => {
    const client = await connect(open, { elicitation, answer: agree });
    const { structuredContent } = await client.callTool({
      name: 'terminal_execute',
      arguments: { text: 'x', how: 'form', request_id: crypto.randomUUID() },
    });
    expect(structuredContent).toEqual({ action: 'accept', agreed: true, rounds: 2 });
    await client.close();
  });

  it('opens a page', async () => {
    const seen: unknown[] = [];
    const answer: Answerer = (params) => {
      seen.push((params as { url?: string }).url);
      return agree(params);
    };
    const client = await connect(open, { elicitation, answer });
    const { structuredContent } = await client.callTool({ name: 'terminal_execute', arguments: { text: 'x', how: 'url' } });
    expect(structuredContent).toEqual({ action: 'accept', rounds: 2 });
    expect(seen).toEqual(['http://127.0.0.1:1/asks/1']);
    await client.close();
  });

  it.each(['decline', 'cancel'] as const)('may %s', async (action) => {
    const client = await connect(open, { elicitation, answer: () => ({ action }) });
    const { structuredContent } = await client.callTool({ name: 'terminal_execute', arguments: { text: 'x', how: 'form' } });
    expect(structuredContent).toEqual({ action, rounds: 2 });
    await client.close();
  });

  it('is asked only in the modes that it declared', async () => {
    const client = await connect(open, { elicitation: { form: {} }, answer: agree });
    const { structuredContent } = await client.callTool({ name: 'terminal_execute', arguments: { text: 'x', how: 'url' } });
    expect(structuredContent).toMatchObject({ action: 'pending_approval' });
    await client.close();
  });
});
