import { jest } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Plan, ReceiptFile } from '#contracts';
import { ConsoleClient } from '../support/console-client.mjs';
import { seeded } from '../support/seeded.js';
import { startServer } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';

jest.setTimeout(420_000);

const KILLS = 50;
const SEED = 20_261_130;
const FLOWS_PER_LIFE = 3;
const SETTINGS = { MAX_CONCURRENT_SESSIONS: '1000', LOG_LEVEL: 'error' };

interface Flow {
  /** The command appends this to its own file: a second line would be a second run. */
  readonly mark: string;
  readonly planId: string;
  readonly sessionId: string;
  /** Receipt that the server acknowledged before it was killed. */
  acknowledged: string | undefined;
}

type Answer = Record<string, unknown> & { receipt?: { id: string } };
type Server = Awaited<ReturnType<typeof startServer>>;

async function connect(server: Server, token: string): Promise<Client> {
  const client = new Client({ name: 'crash', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new StreamableHTTPClientTransport(new URL(server.mcp ?? ''), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return structuredContent as Answer;
}

describe('kill -9', () => {
  let server: Server;
  let owner: ConsoleClient;
  let token: string;
  const flows: Flow[] = [];

  beforeAll(async () => {
    server = await startServer({ env: SETTINGS });
    owner = new ConsoleClient(server.url ?? '');
    await owner.welcome(server.link ?? '');
    token = server.token ?? '';
    const script = join(server.workspace ?? '', 'mark.sh');
    writeFileSync(script, '#!/usr/bin/env bash\necho "$1" >> "$1.ran"\necho "ran $1"\n', { mode: 0o755 });
    mkdirSync(join(server.workspace ?? '', 'out'), { recursive: true });
  });
  afterAll(() => server.remove());

  verifies('crash:nothing-lost-nothing-twice', async () => {
    const random = seeded(SEED);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await liveUntilKilled(Math.floor(random() * 260));
      server = await startServer({ dataDir: server.dataDir, port: server.port, env: SETTINGS });
    }
    await checkEverything();
  });

  /** Starts flows and kills the server after a delay, wherever they are then. */
  async function liveUntilKilled(delayMs: number): Promise<void> {
    const client = await connect(server, token);
    const work = Promise.allSettled(Array.from({ length: FLOWS_PER_LIFE }, () => flow(client)));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await server.stop('SIGKILL');
    await client.close().catch(() => undefined); // its server is gone
    await work;
  }

  async function flow(client: Client): Promise<void> {
    const mark = `m${String(flows.length).padStart(4, '0')}-${crypto.randomUUID().slice(0, 8)}`;
    const session = await call(client, 'terminal_open_session', {});
    const plan = await call(client, 'terminal_plan', { session_id: session['session_id'], argv: ['./mark.sh', mark] });
    const entry: Flow = { mark, planId: String(plan['plan_id']), sessionId: String(plan['session_id']), acknowledged: undefined };
    flows.push(entry);
    await owner.post(`/api/asks/${String(plan['ask_id'])}/votes`, { answer: 'approve', digest: plan['digest'] });
    const finished = await call(client, 'terminal_execute', { session_id: entry.sessionId, plan_id: entry.planId });
    entry.acknowledged = finished.receipt?.id;
  }

  async function checkEverything(): Promise<void> {
    const started = { interrupted: 0, finished: 0, never: 0 };
    for (const { mark, planId, acknowledged } of flows) {
      const plan = (await owner.get(`/api/plans/${planId}`)) as Plan;
      const lines = ranLines(mark);
      expect(lines.length).toBeLessThanOrEqual(1);
      if (acknowledged !== undefined) expect(plan).toMatchObject({ status: 'succeeded', receiptId: acknowledged });
      if (lines.length === 1 || plan.runId !== null) {
        const file = (await owner.get(`/api/receipts/${String(plan.receiptId)}`)) as ReceiptFile;
        expect(file.evidence.outcome).toMatch(/^(succeeded|interrupted)$/);
        expect(['succeeded', 'interrupted']).toContain(plan.status);
        started[plan.status === 'succeeded' ? 'finished' : 'interrupted'] += 1;
      } else {
        expect(plan.receiptId).toBeNull();
        started.never += 1;
      }
    }
    // The kills must have hit both sides of the run, or this test shows nothing.
    expect(started.finished).toBeGreaterThan(0);
    expect(started.interrupted).toBeGreaterThan(0);
    expect(flows.filter(({ acknowledged }) => acknowledged !== undefined).length).toBeGreaterThan(0);
  }

  function ranLines(mark: string): string[] {
    const file = join(server.workspace ?? '', `${mark}.ran`);
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }
});
