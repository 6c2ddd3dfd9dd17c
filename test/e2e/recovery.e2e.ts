import { readdirSync, readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Plan, ReceiptFile } from '#contracts';
import { ConsoleClient } from '../support/console-client.mjs';
import { startServer } from '../support/server.mjs';
import { callTool, refOf, until, type Answer } from '../support/terminal.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(120_000);

type Server = Awaited<ReturnType<typeof startServer>>;
let server: Server;
let owner: ConsoleClient;
let agent: Client;

beforeEach(async () => {
  server = await startServer();
  owner = new ConsoleClient(server.url ?? '');
  await owner.welcome(server.link ?? '');
  agent = new Client({ name: 'recovery', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = { authorization: `Bearer ${server.token ?? ''}` };
  await agent.connect(new StreamableHTTPClientTransport(new URL(server.mcp ?? ''), { requestInit: { headers } }));
});
afterEach(() => server.remove());

/** A sleeping command that is really there, under a number of seconds that nothing else uses. */
async function asleep(): Promise<{ plan: Answer; mark: string; running: Promise<unknown> }> {
  const mark = `7${String(process.pid)}${String(Date.now()).slice(-5)}`;
  const plan = await callTool(agent, 'terminal_plan', { argv: ['sleep', mark] });
  if (plan['status'] === 'awaiting_approval')
    await owner.post(`/api/asks/${String(plan['ask_id'])}/votes`, { answer: 'approve', digest: plan['digest'] });
  const running = callTool(agent, 'terminal_execute', refOf(plan)).catch(() => 'cut');
  await until(() => (sleeping(mark).length > 0 ? true : undefined));
  return { plan, mark, running };
}

/** Looked up from outside: processes of the system whose words hold the mark. */
function sleeping(mark: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').includes(mark);
    } catch {
      return false; // it has ended
    }
  });
}

const fileOf = async (plan: Answer) => {
  const { status, receiptId } = (await owner.get(`/api/plans/${String(plan['plan_id'])}`)) as Plan;
  return { status, file: (await owner.get(`/api/receipts/${String(receiptId)}`)) as ReceiptFile };
};
const restart = async () => {
  server = await startServer({ dataDir: server.dataDir, port: server.port });
};

verifies('recovery:interrupted', async () => {
  const { plan, mark, running } = await asleep();
  await server.stop('SIGKILL');
  await running;
  await until(() => (sleeping(mark).length === 0 ? true : undefined));
  await restart();
  const { status, file } = await fileOf(plan);
  expect(status).toBe('interrupted');
  expect(file).toMatchObject({ receipt: { status: 'failed' }, evidence: { outcome: 'interrupted', details: { ended_by: 'owner_died' } } });
  expect(sleeping(mark)).toEqual([]);
  const again = await owner.request('POST', `/api/plans/${String(plan['plan_id'])}/execute`, {});
  expect(((await again.json()) as Answer).error?.code).toBe('PLAN_ALREADY_RUN');
});

verifies('shutdown:receipts', async () => {
  const { plan, mark, running } = await asleep();
  const since = Date.now();
  expect([0, null]).toContain(await server.stop('SIGTERM')); // null: the signal itself ended it, after everything else
  expect(Date.now() - since).toBeLessThan(20_000);
  await running;
  expect(sleeping(mark)).toEqual([]);
  await restart();
  const { status, file } = await fileOf(plan);
  expect(status).toBe('interrupted');
  expect(file).toMatchObject({ evidence: { outcome: 'interrupted', details: { ended_by: 'shutdown' } } });
});
