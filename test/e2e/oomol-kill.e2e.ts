import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ActionRun, Connector, CreatedToken, Plan } from '#contracts';
import { ConsoleClient } from '../support/console-client.mjs';
import { OpenConnectorStub } from '../support/open-connector.js';
import { startServer } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';

type Server = Awaited<ReturnType<typeof startServer>>;

const stub = new OpenConnectorStub();
let server: Server;
let owner: ConsoleClient;
let secret: string;
let connector: Connector;

beforeAll(async () => {
  await stub.start();
  server = await startServer({ env: { EGRESS_PRIVATE_HOSTS: new URL(stub.url).host } });
  owner = new ConsoleClient(server.url);
  await owner.welcome(server.link ?? '');
  const { items } = (await owner.get('/api/workspaces')) as { items: { id: string }[] };
  const wish = { name: 'team', endpoint: `${stub.url}/mcp`, workspaces: items.map(({ id }) => id) };
  connector = (await owner.post('/api/oomol/create', wish)) as Connector;
  await owner.post('/api/oomol/key', { connector: connector.id, which: 'key', key: 'runtime-good' });
  ({ secret } = (await owner.post('/api/tokens', { name: 'actions', scopes: ['connector:read', 'connector:use'] })) as CreatedToken);
  const yaml = 'name: t\nrules:\n  - name: issues\n    match: { connector_action: github.create_issue }\n    outcome: allow\n';
  await owner.post('/api/policy/versions', { yaml, previous: 0, note: 'issues run' });
});
afterAll(async () => {
  await server.remove();
  await stub.stop();
});

const agent = async (): Promise<Client> => {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/connector`), { requestInit }));
  return client;
};

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not come to that');
}

/** The server dies while a call is on its way, before or after the provider has done its part. */
async function dieDuring(round: number, fault: 'hang' | 'before'): Promise<void> {
  const client = await agent();
  const title = `${fault} ${String(round)}`;
  const planned = await client.callTool({
    name: 'connector_plan',
    arguments: { action: 'github.create_issue', input: { owner: 'o', repo: 'r', title } },
  });
  const planId = (planned.structuredContent as { plan_id: string }).plan_id;
  const before = stub.calls.length;
  if (fault === 'hang') stub.fault = 'hang';
  const executing = client.callTool({ name: 'connector_execute', arguments: { plan_id: planId } }).catch(() => undefined);
  if (fault === 'hang') await until(() => stub.calls.length > before && stub.effects.some((effect) => effect.includes(`"${title}"`)));
  await server.stop('SIGKILL');
  await executing;
  await client.close().catch(() => undefined);
  server = await startServer({ dataDir: server.dataDir, port: server.port, env: { EGRESS_PRIVATE_HOSTS: new URL(stub.url).host } });
  const plan = async (): Promise<Plan> => (await owner.get(`/api/plans/${planId}`)) as Plan;
  await until(async () => (await plan()).status !== 'running');
  const { status, runId, receiptId } = await plan();
  const own = stub.calls.filter(({ body }) => body.includes(`"${title}"`));
  expect(own.length).toBeLessThanOrEqual(1);
  expect(stub.effects.filter((effect) => effect.includes(`"${title}"`)).length).toBe(own.length);
  if (fault === 'hang') expect(status).toBe('unknown');
  if (own.length === 1) expect(['unknown', 'succeeded']).toContain(status);
  else expect(['approved', 'interrupted', 'unknown']).toContain(status);
  if (status !== 'unknown') return;
  expect(await owner.get(`/api/receipts/${String(receiptId)}`)).toMatchObject({ evidence: { kind: 'connector', outcome: 'unknown' } });
  expect((await owner.post('/api/oomol/run', { run: runId })) as ActionRun).toMatchObject({ status: 'unknown', resolution: null });
}

verifies('connector:once', 'the server is killed before and after it has sent', async () => {
  for (let round = 0; round < 4; round += 1) {
    await dieDuring(round, 'hang');
    await dieDuring(round, 'before');
  }
});
