import { PassThrough } from 'node:stream';
import { alike, ALICE, bootMcp, modern, type McpApp } from '../../../test/support/mcp-app.js';
import { SamplePrompts, SampleResources, SampleTools } from '../../../test/support/sample-tools.js';
import { verifies } from '../../../test/support/verifies.js';
import { McpChanges } from './changes.js';
import { serveMcpStdio, type StdioServer } from './stdio.js';

const LOCAL = { ...alike(ALICE, 'local'), kind: 'local' as const };
const CAPABLE = { _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } } };

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

/** The other end of the line. */
class Parent {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly got: Message[] = [];
  readonly server: StdioServer;
  #rest = '';

  constructor(api: McpApp) {
    this.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.got.push(...lines.map((line) => JSON.parse(line) as Message)); // every line is the protocol's
    });
    this.server = serveMcpStdio(api.app, LOCAL, { input: this.input, output: this.output });
  }

  say(...messages: readonly unknown[]): void {
    this.input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  async answer(id: string | number): Promise<Message> {
    return this.until((message) => message.id === id && message.method === undefined);
  }

  async until(isIt: (message: Message) => boolean): Promise<Message> {
    for (const deadline = Date.now() + 5_000; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
      const found = this.got.find(isIt);
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`It did not come; got ${JSON.stringify(this.got)}`);
    }
  }
}

let api: McpApp;
let tools: SampleTools;
let parent: Parent;

beforeAll(async () => {
  api = await bootMcp([SampleTools, SampleResources, SamplePrompts]);
  tools = api.get(SampleTools);
});
afterAll(() => api.close());
beforeEach(() => {
  parent = new Parent(api);
  tools.cancelled.length = 0;
});
afterEach(() => parent.server.close());

const initialize = {
  jsonrpc: '2.0',
  id: 'i',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { elicitation: { form: {} } }, clientInfo: { name: 't', version: '1' } },
};
const legacyCall = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

it('serves a modern client', async () => {
  parent.say(modern('server/discover', {}, 1), modern('tools/call', { name: 'whoami', arguments: { text: 'hi' } }, 2));
  expect((await parent.answer(1)).result).toMatchObject({ supportedVersions: ['2026-07-28'] });
  expect((await parent.answer(2)).result).toMatchObject({ structuredContent: { id: 'local', text: 'hi', channel: 'stdio' } });
});

it('serves a legacy client and asks it on the line', async () => {
  parent.say(
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    legacyCall(2, 'terminal_execute', { text: 'x', how: 'form' }),
  );
  expect((await parent.answer('i')).result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'countersign' } });
  const asked = await parent.until(({ method }) => method === 'elicitation/create');
  parent.say({ jsonrpc: '2.0', id: asked.id, result: { action: 'accept', content: { agreed: true } } });
  expect((await parent.answer(2)).result).toMatchObject({ structuredContent: { action: 'accept', agreed: true, rounds: 2 } });
});

it('binds the state of a round to its call, here too', async () => {
  const first = modern('tools/call', { name: 'terminal_execute', arguments: { text: 'x', how: 'form' }, ...CAPABLE }, 1);
  parent.say(first);
  const { requestState } = (await parent.answer(1)).result as { requestState: string };
  const more = { requestState, inputResponses: { form: { action: 'decline' } }, ...CAPABLE };
  parent.say(
    modern('tools/call', { name: 'terminal_execute', arguments: { text: 'y', how: 'form' }, ...more }, 2),
    modern('tools/call', { name: 'terminal_execute', arguments: { text: 'x', how: 'form' }, ...more }, 3),
  );
  expect((await parent.answer(2)).error?.code).toBe(-32602);
  expect((await parent.answer(3)).result).toMatchObject({ structuredContent: { action: 'decline' } });
});

it('cancels what it is told to cancel', async () => {
  parent.say(initialize, legacyCall(2, 'terminal_wait', { ms: 20_000 }));
  await parent.answer('i');
  while (tools.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  parent.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  while (tools.cancelled.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(tools.waiting).toBe(0);
});

it.each([
  ['legacy', [initialize, { jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params: { uri: 'plan://one' } }]],
  ['modern', [modern('subscriptions/listen', { notifications: { resourceSubscriptions: ['plan://one'] } }, 3)]],
])('tells a %s client of what it follows', async (era, opening) => {
  parent.say(...opening);
  if (era === 'legacy') await parent.answer(3);
  else await parent.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
  api.get(McpChanges).resourceUpdated('plan://two');
  api.get(McpChanges).resourceUpdated('plan://one');
  const news = await parent.until(({ method }) => method === 'notifications/resources/updated');
  expect(news.params).toMatchObject({ uri: 'plan://one' });
});

it('refuses what is nested too deep and goes on', async () => {
  parent.input.write(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}}\n`);
  expect((await parent.answer(1)).error?.code).toBe(-32600);
  parent.say(modern('tools/call', { name: 'whoami', arguments: { text: 'hi' } }, 2));
  expect((await parent.answer(2)).result).toMatchObject({ structuredContent: { text: 'hi' } });
});

it('still answers what came in before the end of the input', async () => {
  parent.say(modern('tools/call', { name: 'whoami', arguments: { text: 'last' } }, 1));
  parent.input.end();
  await parent.server.ended;
  expect((await parent.answer(1)).result).toMatchObject({ structuredContent: { text: 'last' } });
});

verifies('mcp:end-of-input', async () => {
  parent.say(modern('tools/call', { name: 'terminal_wait', arguments: { ms: 20_000 } }, 1));
  while (tools.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const startedAt = performance.now();
  parent.input.end();
  await parent.server.ended;
  expect(tools.cancelled).toEqual(['local']);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

it('ends when the parent is gone', async () => {
  parent.input.destroy();
  await parent.server.ended;
  parent.output.destroy();
});
