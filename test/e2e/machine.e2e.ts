import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import type { Plan, ReceiptFile, Run } from '#contracts';
import { Database } from '#platform';
import { verifyFile } from '#receipts/core';
import { boot } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { databases } from '../support/engines.js';
import { call, execute, pause, type PlanAnswer, plan, refOf, run, until, vote } from '../support/flow.js';
import { modernOverHttp } from '../support/mcp-clients.js';
import { cli, freePort, startServer, temporaryFolder } from '../support/server.mjs';
import { smallDisk } from '../support/small-disk.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(120_000);

type Server = Awaited<ReturnType<typeof startServer>>;

/** Nobody in particular, so that the rights of files count also where tests run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** A start that is expected to end by itself. */
async function failingStart(dataDir: string, env: Record<string, string>, as: object = {}): Promise<Ended> {
  const port = String(await freePort());
  const child = spawn(process.execPath, [cli, 'serve'], {
    ...as,
    env: { ...process.env, LOG_LEVEL: 'warn', HOST: '127.0.0.1', PORT: port, COUNTERSIGN_DATA: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return { code, text };
}

async function signIn(server: Server, link = server.link): Promise<{ owner: ConsoleClient; agent: Client; token: string }> {
  const owner = new ConsoleClient(server.url ?? '');
  await owner.welcome(link ?? '');
  const token = server.token ?? '';
  return { owner, token, agent: await modernOverHttp({ url: server.mcp ?? '', token }) };
}

const receiptOf = async (owner: ConsoleClient, { plan_id }: PlanAnswer): Promise<ReceiptFile> => {
  const { receiptId } = (await owner.get(`/api/plans/${plan_id}`)) as Plan;
  return (await owner.get(`/api/receipts/${String(receiptId)}`)) as ReceiptFile;
};

describe('a start that cannot succeed', () => {
  let home: string;
  beforeEach(() => {
    home = temporaryFolder();
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const BAD: Readonly<Record<string, string>> = {
    PORT: 'seven-thousand',
    PUBLIC_URL: 'ftp://wrong.example',
    BASE_PATH: 'no slash',
    ALLOWED_ORIGINS: 'everything.example',
    TRUST_PROXY: 'h@lf',
    LOG_LEVEL: 'shouting',
    MAX_REQUEST_BYTES: '12x',
    RATE_LIMIT_PER_MINUTE: 'zero',
    DATABASE_URL: 'mysql://user:pass-in-words@host/db',
    COUNTERSIGN_SECRET_KEY: 'short-and-secret',
    WORKSPACE_ROOT: '/no/such/place',
    APPROVAL_MODE: 'yolo',
    SANDBOX: 'perhaps',
    SESSION_TIMEOUT: 'soon',
    MAX_CONCURRENT_SESSIONS: 'many',
    COMMAND_TIMEOUT: '86401',
    MAX_OUTPUT_BYTES: 'all-of-it',
  };

  verifies('start:says-why', 'a setting of every kind, by its name and never by its value', async () => {
    const wrong: string[] = [];
    const entries = Object.entries(BAD);
    for (let from = 0; from < entries.length; from += 3) {
      const some = entries.slice(from, from + 3);
      const ends = await Promise.all(some.map(([key, value], index) => failingStart(join(home, `data-${from + index}`), { [key]: value })));
      for (const [index, { code, text }] of ends.entries()) {
        const [key = '', value = ''] = some[index] ?? [];
        if (code !== 1 || !text.includes(key) || text.includes(value) || /\n\s+at /.test(text)) wrong.push(`${key} ${code}: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  verifies('start:says-why', 'a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, text } = await failingStart(join(home, 'data'), { PORT: String(port) });
    expect([code, text.trim()]).toEqual([1, `Port ${port} on 127.0.0.1 is in use. Stop the other process, or set PORT to a free one`]);
    other.close();
  });

  verifies('start:says-why', 'a data folder that is a file, or may not be written', async () => {
    writeFileSync(join(home, 'file'), '');
    const file = await failingStart(join(home, 'file'), {});
    expect([file.code, file.text]).toEqual([1, expect.stringMatching(/is a file\. Set COUNTERSIGN_DATA/)]);
    const locked = join(home, 'locked');
    mkdirSync(locked, { mode: 0o500 });
    for (const path of [home, locked]) if (NOBODY.uid !== undefined) chownSync(path, NOBODY.uid, NOBODY.gid);
    const readOnly = await failingStart(locked, {}, { ...NOBODY, cwd: '/' });
    expect([readOnly.code, readOnly.text]).toEqual([1, expect.stringMatching(/may not be written by this user\. Set COUNTERSIGN_DATA/)]);
    chmodSync(locked, 0o700);
  });

  verifies('start:says-why', 'a database that is not there, without its password', async () => {
    const url = `postgresql://somebody:hush-hush@127.0.0.1:${await freePort()}/none`;
    const { code, text } = await failingStart(join(home, 'data'), { DATABASE_URL: url });
    expect([code, text.trim()]).toEqual([1, 'The database of DATABASE_URL does not answer (ECONNREFUSED)']);
  });

  verifies('start:says-why', 'keys that are lost, changed or open to others', async () => {
    const server = await startServer({ dataDir: join(home, 'data') });
    await server.stop();
    const key = join(home, 'data', 'secret.key');
    const right = readFileSync(key, 'utf8');
    const wrong = await failingStart(join(home, 'data'), { COUNTERSIGN_SECRET_KEY: 'ab'.repeat(32) });
    expect([wrong.code, wrong.text]).toEqual([
      1,
      expect.stringMatching(/^The secret key is not the one that this database was set up with/),
    ]);
    chmodSync(key, 0o644);
    const open = await failingStart(join(home, 'data'), {});
    expect([open.code, open.text]).toEqual([1, expect.stringMatching(/^Others may read the key file .* chmod 600/)]);
    chmodSync(key, 0o600);
    writeFileSync(key, 'cut off');
    expect((await failingStart(join(home, 'data'), {})).code).toBe(1);
    writeFileSync(key, right);
    const again = await startServer({ dataDir: join(home, 'data'), port: server.port }); // nothing was lost by trying
    expect(await again.stop()).not.toBe(1);
  });
});

describe('a disk without room', () => {
  verifies('disk:loses-nothing', 'in the database, while a run is at work', async () => {
    const api = await boot();
    try {
      const [agent, owner] = [await api.mcp(), await api.owner()];
      writeFileSync(join(api.workspace, 'work.sh'), '#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.1; done; seq 1 20000\n', { mode: 0o755 });
      const planned = await plan(agent, ['./work.sh']);
      const open = await plan(agent, ['touch', 'waits']);
      await vote(owner, planned);
      const running = execute(agent, planned);
      await until('the run', async () => ((await owner.get(`/api/plans/${planned.plan_id}`)) as Plan).runId ?? undefined);
      const db = api.app.get(Database);
      const limit = async (pages: number): Promise<void> => void (await sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(db));
      await limit(1); // SQLite takes the size that the file has now
      const refused = await refusalOf(owner, 40);
      expect(refused).toEqual([507, 'STORAGE_FULL']);
      writeFileSync(join(api.workspace, 'go'), '');
      await pause(2_000);
      expect(await owner.get(`/api/plans/${open.plan_id}`)).toMatchObject({ status: 'awaiting_approval' }); // reading works
      await limit(1_000_000);
      const finished = await running;
      expect(finished).toMatchObject({ receipt: { status: 'succeeded' } });
      expect(finished.receipt?.stdout.endsWith('\n20000\n')).toBe(true);
      expect(verifyFile(await receiptOf(owner, planned)).filter(({ ok }) => ok === false)).toEqual([]);
      await vote(owner, open);
      expect(await execute(agent, open)).toMatchObject({ receipt: { status: 'succeeded' } });
    } finally {
      await api.close();
    }
  });

  /** Plans until one is refused, and how it is. */
  async function refusalOf(owner: ConsoleClient, atMost: number): Promise<readonly [number, string]> {
    for (let tried = 0; tried < atMost; tried += 1) {
      const answer = await owner.request('POST', '/api/plans', { argv: ['touch', `${'x'.repeat(200)}-${tried}`] });
      if (answer.status !== 201) return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
    }
    return [201, 'nothing was refused'];
  }

  const disk = smallDisk(24 * 1_048_576);
  afterAll(() => disk?.remove());

  verifies(
    'disk:loses-nothing',
    disk ? 'of the file system, full and read-only' : 'this user may mount no file system: the database alone',
    async () => {
      if (!disk) return;
      const dataDir = join(disk.path, 'data');
      const server = await startServer({ dataDir });
      try {
        const { owner, agent } = await signIn(server);
        const open = await plan(agent, ['touch', 'waits']);
        const before = await run(agent, owner, ['ls']);
        disk.fill();
        expect(await refusalOf(owner, 200)).toEqual([507, 'STORAGE_FULL']);
        expect((await fetch(`${server.url ?? ''}/health`)).status).toBe(200);
        const refused = await call(agent, 'terminal_plan', { argv: ['touch', 'full'] });
        expect(refused).toMatchObject({ error: { code: 'STORAGE_FULL', retry: 'later' } });
        expect(await owner.get(`/api/receipts/${before.receipt?.id ?? ''}`)).toMatchObject({ receipt: { id: before.receipt?.id } });
        disk.free();
        await vote(owner, open);
        expect(await execute(agent, open)).toMatchObject({ receipt: { status: 'succeeded' } });
        expect(server.output()).not.toContain('INTERNAL');
        await agent.close();
      } finally {
        await server.stop();
      }
      disk.fill();
      const full = await failingStart(dataDir, {});
      disk.free();
      disk.setReadOnly(true);
      const readOnly = await failingStart(dataDir, {});
      disk.setReadOnly(false);
      expect([full.code, full.text]).toEqual([1, expect.stringMatching(/no space left.*Set COUNTERSIGN_DATA/i)]);
      expect([readOnly.code, readOnly.text]).toEqual([1, expect.stringMatching(/read-only file system\. Set COUNTERSIGN_DATA/)]);
      await (await startServer({ dataDir })).stop();
    },
  );
});

describe.each(databases)('two servers on one %s database', (engine, open) => {
  verifies('stop:orderly', `${engine}: they share all work, and one goes on when the other is killed`, async () => {
    const database = await open();
    const first = await startServer({ env: { ...database.env, COUNTERSIGN_SECRET_KEY: 'c5'.repeat(32) } });
    const beside = engine === 'sqlite' ? { dataDir: first.dataDir } : {}; // servers on PostgreSQL need no folder in common
    const second = await startServer({ ...beside, env: { ...database.env, COUNTERSIGN_SECRET_KEY: 'c5'.repeat(32) } });
    try {
      const { owner, agent, token } = await signIn(first, second.link); // the newer link voids the older
      expect(second.token).toBeUndefined(); // shown once
      const there = new ConsoleClient(second.url ?? '');
      await there.login('owner', 'correct horse battery');
      const other = await modernOverHttp({ url: second.mcp ?? '', token });
      const planned = await plan(agent, ['sleep', '41']);
      if (planned.status === 'awaiting_approval') await vote(there, planned);
      const running = execute(agent, planned);
      const runId = await until(
        'the run, seen from the other server',
        async () => ((await there.get(`/api/plans/${planned.plan_id}`)) as Plan).runId ?? undefined,
      );
      expect(await call(other, 'terminal_pause', refOf(planned))).toMatchObject({ status: 'paused' });
      expect(await call(other, 'terminal_resume', refOf(planned))).toMatchObject({ status: 'running' });
      expect(await call(other, 'terminal_cancel', refOf(planned))).toMatchObject({ status: 'cancelled', run_id: runId });
      expect(await running).toMatchObject({ receipt: { status: 'cancelled' } });

      const orphan = await plan(agent, ['sleep', '42']);
      if (orphan.status === 'awaiting_approval') await vote(owner, orphan);
      const lost = execute(agent, orphan).catch(() => 'cut');
      await until('the run', async () => ((await there.get(`/api/plans/${orphan.plan_id}`)) as Plan).runId ?? undefined);
      const waiting = call(other, 'terminal_wait', refOf(orphan));
      await first.stop('SIGKILL');
      expect(await lost).toBe('cut');
      expect(await waiting).toMatchObject({ receipt: { status: 'failed' }, evidence: { outcome: 'interrupted' } });
      expect(await run(other, there, ['ls'])).toMatchObject({ receipt: { status: 'succeeded' } });
      await other.close();
    } finally {
      await first.stop('SIGKILL');
      await second.remove();
      await first.remove();
      await database.remove();
    }
  });
});

describe('a server that is told to stop', () => {
  verifies('stop:orderly', 'SIGTERM with runs, waits and streams open', async () => {
    const server = await startServer({ env: { MAX_CONCURRENT_SESSIONS: '100' } });
    const { owner, agent, token } = await signIn(server);
    const runs = await Promise.all(
      [51, 52, 53].map(async (seconds) => {
        const { session_id } = await call(agent, 'terminal_open_session');
        const planned = await plan(agent, ['sleep', String(seconds)], { session_id });
        if (planned.status === 'awaiting_approval') await vote(owner, planned);
        void execute(agent, planned).catch(() => undefined); // its server is told to stop
        return planned;
      }),
    );
    await until('all runs', async () =>
      ((await owner.get('/api/runs?active=true')) as { items: Run[] }).items.length === 3 ? true : undefined,
    );
    const open = await plan(agent, ['touch', 'unanswered']);
    const waits = [
      call(agent, 'terminal_wait', refOf(open)).catch(() => undefined),
      owner.request('GET', '/api/events').catch(() => undefined),
    ];
    await pause(200);
    const since = Date.now();
    await server.stop('SIGTERM');
    expect(Date.now() - since).toBeLessThan(15_000);
    await Promise.all(waits);
    const again = await startServer({ dataDir: server.dataDir, port: server.port });
    try {
      for (const planned of runs) {
        const { evidence } = await receiptOf(owner, planned);
        expect(evidence).toMatchObject({ outcome: 'interrupted', details: { ended_by: 'shutdown' }, survivors: [] });
      }
      expect(await owner.get(`/api/asks/${open.ask_id}`)).toMatchObject({ status: 'open' });
      await vote(owner, open);
      const back = await modernOverHttp({ url: again.mcp ?? '', token });
      expect(await execute(back, open)).toMatchObject({ receipt: { status: 'succeeded' } });
      await back.close();
    } finally {
      await again.remove();
    }
  });
});

describe('parts that go away', () => {
  it('the workspace: nothing runs elsewhere, nothing is lost, and it goes on when it is back', async () => {
    const root = join(temporaryFolder(), 'site');
    mkdirSync(root);
    const api = await boot({ env: { WORKSPACE_ROOT: root, APPROVAL_MODE: 'confirm' } });
    try {
      const [agent, owner] = [await api.mcp(), await api.owner()];
      const planned = await plan(agent, ['touch', 'made']);
      await vote(owner, planned);
      renameSync(root, `${root}-away`);
      const codeOf = async (promise: Promise<{ error?: { code: string } }>): Promise<unknown> => (await promise).error?.code;
      expect(await codeOf(execute(agent, planned))).toBe('WORKSPACE_GONE');
      expect(await codeOf(call(agent, 'terminal_plan', { argv: ['ls'] }))).toBe('WORKSPACE_GONE');
      await expect(agent.readResource({ uri: 'workspace:///made' })).rejects.toThrow();
      expect(await owner.get(`/api/plans/${planned.plan_id}`)).toMatchObject({ status: 'approved' });
      symlinkSync(`${root}-away`, root); // the same content under another identity
      expect(await codeOf(execute(agent, planned))).toBe('WORKSPACE_GONE');
      rmSync(root);
      renameSync(`${root}-away`, root);
      expect(await execute(agent, planned)).toMatchObject({ receipt: { status: 'succeeded' } });
      expect(existsSync(join(root, 'made'))).toBe(true);
    } finally {
      await api.close();
      rmSync(dirname(root), { recursive: true, force: true });
    }
  });

  it('the executor: its run ends as interrupted with a receipt, and the next run works', async () => {
    const server = await startServer();
    try {
      const { owner, agent } = await signIn(server);
      writeFileSync(join(server.workspace ?? '', 'talk.sh'), '#!/bin/sh\necho begun; sleep 61\n', { mode: 0o755 });
      const planned = await plan(agent, ['./talk.sh']);
      await vote(owner, planned);
      const running = execute(agent, planned);
      await until('its first words', async () =>
        ((await call(agent, 'terminal_output', refOf(planned)))['chunks'] as unknown[])[0] ? true : undefined,
      );
      process.kill(childOf(server.pid ?? 0), 'SIGKILL');
      expect(await running).toMatchObject({ receipt: { status: 'failed', stdout: 'begun\n' }, evidence: { outcome: 'interrupted' } });
      expect(await run(agent, owner, ['ls'])).toMatchObject({ receipt: { status: 'succeeded' } });
      await agent.close();
    } finally {
      await server.remove();
    }
  });

  function childOf(pid: number): number {
    const found = readdirSync('/proc').find((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${pid}\n`);
      } catch {
        return false; // it has ended
      }
    });
    return Number(found);
  }
});
