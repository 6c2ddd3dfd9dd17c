import { jest } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Client } from '@modelcontextprotocol/client';
import type { AppEvent, ReceiptFile } from '#contracts';
import { verifyFile } from '#receipts/core';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { EventReader } from '../support/event-source.js';
import { call, execute, plan, refOf, run, until, vote } from '../support/flow.js';
import { modernOverHttp } from '../support/mcp-clients.js';
import { startServer } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';

jest.setTimeout(90_000);

/** What another process would see in the database at this moment: only what is committed. */
function committed<T>(dataDir: string, query: string, ...values: string[]): T | undefined {
  const file = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true });
  try {
    return file.prepare(query).get(...values) as T | undefined;
  } finally {
    file.close();
  }
}

/** Processes of the system whose words hold the mark. */
function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').includes(mark);
    } catch {
      return false; // it has ended
    }
  });
}

const newMark = (): string => `8${String(process.pid)}${String(Date.now()).slice(-6)}`;

describe('a run', () => {
  const SERVER_SECRET = 'a-variable-of-the-server';
  let api: Booted;
  let agent: Client;
  let owner: ConsoleClient;

  beforeAll(async () => {
    api = await boot({ env: { OF_THE_SERVER: SERVER_SECRET } });
    agent = await api.mcp();
    owner = await api.owner();
  });
  afterAll(() => api.close());

  const script = (name: string, text: string): void => writeFileSync(join(api.workspace, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const stdoutOf = async (argv: readonly string[], more: Record<string, unknown> = {}): Promise<string> =>
    (await run(agent, owner, argv, more)).receipt?.stdout ?? '';

  verifies('invariant:5', 'no shell, also where a command is one string', async () => {
    script('words.sh', 'for word; do printf "<%s>" "$word"; done');
    const words = ['$(touch pwned)', '`touch pwned`', ';touch pwned', '|', '>pwned', '$HOME', '*', '', '-n', "it's"];
    expect(await stdoutOf(['./words.sh', ...words])).toBe(words.map((word) => `<${word}>`).join(''));
    const asText = await call(agent, 'terminal_plan', { command: './words.sh \'$HOME\' "a b" plain' });
    expect(asText).toMatchObject({ argv: ['./words.sh', '$HOME', 'a b', 'plain'] });
    for (const command of [
      './words.sh $(touch pwned)',
      './words.sh `touch pwned`',
      'FOO=$BAR ./words.sh',
      './words.sh $HOME',
      'for x in a; do ls; done',
    ])
      expect(await call(agent, 'terminal_plan', { command })).toMatchObject({ error: { code: 'COMMAND_INVALID' } });
    expect(existsSync(join(api.workspace, 'pwned'))).toBe(false);
  });

  verifies('invariant:5', 'a reduced environment and a private home that is gone afterwards', async () => {
    script('env.sh', 'env; echo "home $HOME"; ls -A "$HOME" | wc -l; echo left > "$HOME/left" && echo kept');
    const first = await stdoutOf(['./env.sh'], { env: { TZ: 'Asia/Kolkata' } });
    const names = [...first.matchAll(/^([A-Za-z_][A-Za-z0-9_]*)=/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG']));
    expect(first).not.toContain(SERVER_SECRET);
    expect(names.filter((name) => /^(COUNTERSIGN|NODE|NPM|npm|JEST|DATABASE|SSH|AWS)/.test(name ?? ''))).toEqual([]);
    const home = /^home (.+)$/m.exec(first)?.[1] ?? '';
    expect([process.env['HOME'], api.workspace]).not.toContain(home);
    expect(first).toContain('kept');
    expect(existsSync(home)).toBe(false);
    // The next run finds nothing of it.
    expect(await stdoutOf(['./env.sh'])).toMatch(/^0$/m);
    expect(await call(agent, 'terminal_plan', { argv: ['ls'], env: { LD_PRELOAD: '/tmp/x.so' } })).toMatchObject({
      error: { code: 'ENV_NOT_ALLOWED' },
    });
  });

  verifies('invariant:5', 'nothing that it starts outlives it', async () => {
    const mark = newMark();
    script('fork.sh', `(setsid sleep ${mark} >/dev/null 2>&1 &)\n(sleep ${mark} &)\nnohup sleep ${mark} >/dev/null 2>&1 &\necho started`);
    expect(await stdoutOf(['./fork.sh'])).toBe('started\n');
    expect(processesWith(mark)).toEqual([]);
  });

  verifies('invariant:5', 'its limits end it, with all that it started', async () => {
    const mark = newMark();
    script('stubborn.sh', `trap '' TERM INT HUP\nsleep ${mark} &\nwhile :; do sleep ${mark}; done`);
    const { receipt, evidence } = await run(agent, owner, ['./stubborn.sh'], { limits: { timeout_ms: 700 } });
    expect([receipt?.status, evidence?.limit_hit, evidence?.survivors]).toEqual(['timed_out', 'time', []]);
    expect(receipt?.duration_ms).toBeLessThan(10_000);
    expect(processesWith(mark)).toEqual([]);
    script('chatty.sh', 'i=0; while [ $i -lt 600 ]; do echo "0123456789012345678901234567890123456789 $i"; i=$((i+1)); done');
    const chatty = await run(agent, owner, ['./chatty.sh'], { limits: { max_output_bytes: 2_048 } });
    expect(chatty.receipt).toMatchObject({ status: 'succeeded', output_truncated: true });
    expect(Buffer.byteLength(chatty.receipt?.stdout ?? '')).toBeLessThan(2_300);
    expect(chatty.receipt?.stdout).toMatch(/^0123.* 0\n[\s\S]* 599\n$/);
    expect(chatty.evidence?.stdout?.bytes).toBeGreaterThan(20_000);
    expect(await call(agent, 'terminal_plan', { argv: ['ls'], limits: { timeout_ms: 3_600_001 } })).toMatchObject({
      error: { code: 'LIMITS_INVALID' },
    });
  });

  verifies('invariant:6', 'every outcome, seen from another connection the moment it is told', async () => {
    const mark = newMark();
    script('fail.sh', 'echo oops >&2; exit 7');
    script('long.sh', `sleep ${mark}`);
    const events = await EventReader.open<AppEvent>(`${api.url}/api/events`, { authorization: `Bearer ${api.agentToken}` });
    const outcomes = new Map<string, unknown>();
    const told = async (planId: string): Promise<void> => {
      const { data } = await events.next((event) => event.type === 'run.ended' && event.planId === planId);
      if (data.type !== 'run.ended') throw new Error('Another event');
      // In the same tick in which the news is read: what another process finds is what was durable before.
      const row = committed<{ status: string }>(api.dataDir, 'select status from plans where id = ?', planId);
      const kept = committed<{ id: string }>(api.dataDir, 'select id from receipts where id = ?', data.receiptId);
      expect([row?.status, kept?.id]).toEqual([data.outcome, data.receiptId]);
      const file = (await owner.get(`/api/receipts/${data.receiptId}`)) as ReceiptFile;
      expect(verifyFile(file).filter(({ ok }) => ok === false)).toEqual([]);
      expect(((await owner.post(`/api/receipts/${data.receiptId}/verify`)) as { ok: boolean }[]).every(({ ok }) => ok)).toBe(true);
      outcomes.set(data.outcome, [file.receipt?.status, file.evidence.outcome]);
    };
    for (const [argv, more] of [
      [['ls'], {}],
      [['./fail.sh'], {}],
      [['./long.sh'], { limits: { timeout_ms: 300 } }],
    ] as const) {
      const planned = await plan(agent, argv, more);
      if (planned.status === 'awaiting_approval') await vote(owner, planned);
      const [answer] = await Promise.all([execute(agent, planned), told(planned.plan_id)]);
      expect(committed(api.dataDir, 'select id from receipts where id = ?', answer.receipt?.id ?? '')).toBeDefined();
    }
    const planned = await plan(agent, ['./long.sh']);
    await vote(owner, planned);
    const running = execute(agent, planned);
    await until('a process of the run', () => processesWith(mark)[0]);
    await Promise.all([call(agent, 'terminal_cancel', refOf(planned)), told(planned.plan_id)]);
    expect(await running).toMatchObject({ receipt: { status: 'cancelled' } });
    expect(Object.fromEntries(outcomes)).toEqual({
      succeeded: ['succeeded', 'succeeded'],
      failed: ['failed', 'failed'],
      timed_out: ['timed_out', 'timed_out'],
      cancelled: ['cancelled', 'cancelled'],
    });
    await events.close();
  });
});

describe('a crash', () => {
  verifies('invariant:7', async () => {
    let server = await startServer();
    try {
      const owner = new ConsoleClient(server.url ?? '');
      await owner.welcome(server.link ?? '');
      const mark = newMark();
      writeFileSync(join(server.workspace ?? '', 'once.sh'), `#!/bin/sh\necho ran >> once.txt\necho shown\nsleep ${mark}\n`, {
        mode: 0o755,
      });
      const token = server.token ?? ''; // shown at the first start only
      const agent = await modernOverHttp({ url: server.mcp ?? '', token });
      const planned = await plan(agent, ['./once.sh']);
      await vote(owner, planned);
      const running = execute(agent, planned).catch(() => undefined); // its server is killed
      const lines = (): string => readFileSync(join(server.workspace ?? '', 'once.txt'), 'utf8');
      await until('the program at work', () => (existsSync(join(server.workspace ?? '', 'once.txt')) ? true : undefined));
      // The program works, so its start has been committed before.
      const started = committed<{ status: string }>(server.dataDir, 'select status from runs where plan_id = ?', planned.plan_id);
      expect(['started', 'running']).toContain(started?.status);
      await server.stop('SIGKILL');
      await running;

      server = await startServer({ dataDir: server.dataDir, port: server.port });
      expect(processesWith(mark)).toEqual([]);
      const { status, receiptId } = (await owner.get(`/api/plans/${planned.plan_id}`)) as { status: string; receiptId: string };
      const file = (await owner.get(`/api/receipts/${receiptId}`)) as ReceiptFile;
      expect([status, file.evidence.outcome, file.receipt?.status, file.receipt?.output_truncated]).toEqual([
        'interrupted',
        'interrupted',
        'failed',
        true,
      ]);
      expect(verifyFile(file).filter(({ ok }) => ok === false)).toEqual([]);
      const next = await modernOverHttp({ url: server.mcp ?? '', token });
      expect((await execute(next, planned)).error?.code).toBe('PLAN_ALREADY_RUN');
      expect(lines()).toBe('ran\n');
      await next.close();
    } finally {
      await server.remove();
    }
  });
});
