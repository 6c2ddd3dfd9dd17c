import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import type { KeyInfo, Page, ReceiptSummary } from '#contracts';
import { databases } from '../support/engines.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { cli, startServer, temporaryFolder } from '../support/server.mjs';
import { callTool } from '../bench/measure.mjs';

jest.setTimeout(240_000);

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

function command(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, LOG_LEVEL: 'error', ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

describe.each(databases)('backup and restore on %s', (_name, create) => {
  it('is one moment of a server that goes on, comes back whole, and proves its ledger', async () => {
    const folder = temporaryFolder();
    const [from, to] = [await create(), await create()];
    const server = await startServer({ env: { ...from.env } });
    const old = { COUNTERSIGN_DATA: server.dataDir, ...from.env };
    const fresh = { COUNTERSIGN_DATA: join(folder, 'data'), ...to.env };
    const file = join(folder, 'all.backup');
    try {
      const owner = new ConsoleClient(server.url);
      await owner.welcome(server.link ?? '');
      const { session_id } = (await callTool(server.mcp, server.token, 'terminal_open_session')) as { session_id: string };
      const run = async () => {
        const plan = (await callTool(server.mcp, server.token, 'terminal_plan', { session_id, argv: ['ls'] })) as { plan_id: string };
        await callTool(server.mcp, server.token, 'terminal_execute', { session_id, plan_id: plan.plan_id });
      };
      await run();
      expect((await command(['keys', 'rotate'], old)).code).toBe(0);
      await run();
      expect(await command(['doctor'], old)).toMatchObject({ code: 0, text: expect.stringMatching(/pass {2}Checkpoints/) as string });

      let isWriting = true;
      const writing = (async () => {
        while (isWriting) await run();
      })();
      const made = await command(['backup', file], old);
      isWriting = false;
      await writing;
      expect(made).toMatchObject({ code: 0 });
      const lines = gunzipSync(readFileSync(file)).toString('utf8');
      expect(lines).not.toContain(readFileSync(join(server.dataDir, 'secret.key'), 'utf8').trim());
      expect(lines).not.toContain(server.token);
      const counted = lines.split('\n').filter((line) => line.startsWith('["receipts",')).length;

      const without = await command(['restore', file], fresh);
      expect([without.code, without.text]).toEqual([1, expect.stringContaining('Restoring needs the secret key')]);
      mkdirSync(fresh.COUNTERSIGN_DATA, { recursive: true, mode: 0o700 });
      copyFileSync(join(server.dataDir, 'secret.key'), join(fresh.COUNTERSIGN_DATA, 'secret.key'));
      const touched = join(folder, 'touched.backup');
      writeFileSync(touched, gzipSync(lines.replace('"owner"', '"0wner"')));
      expect(await command(['restore', touched], fresh)).toMatchObject({ code: 1, text: expect.stringContaining('was changed') as string });
      writeFileSync(touched, gzipSync(lines.slice(0, lines.trimEnd().lastIndexOf('\n') + 1)));
      expect(await command(['restore', touched], fresh)).toMatchObject({ code: 1, text: expect.stringContaining('not whole') as string });

      const back = await command(['restore', file], fresh);
      expect(back.text).toContain(`The ledger holds: ${String(counted)} entries`);
      expect(back.code).toBe(0);
      expect(await command(['restore', file], fresh)).toMatchObject({ code: 1, text: expect.stringContaining('not empty') as string });
      expect(await command(['doctor'], fresh)).toMatchObject({ text: expect.stringMatching(/pass {2}Ledger/) as string });

      const again = await startServer({ dataDir: fresh.COUNTERSIGN_DATA, env: { ...to.env } });
      try {
        const person = new ConsoleClient(again.url);
        await person.login('owner', 'correct horse battery');
        const { items } = (await person.get('/api/receipts?q=ls&limit=200')) as Page<ReceiptSummary>;
        expect(items.length).toBeGreaterThan(2);
        for (const { id } of [items[0], items.at(-1)].filter((item) => item !== undefined)) {
          const checks = (await person.post(`/api/receipts/${id}/verify`)) as { ok: boolean | null }[];
          expect(checks.every(({ ok }) => ok)).toBe(true);
        }
        expect((await person.get('/api/receipts/keys/all')) as KeyInfo[]).toHaveLength(4);
      } finally {
        await again.stop();
      }
    } finally {
      await server.remove();
      await from.remove();
      await to.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
