// Writes receipts into a ledger that others write to at the same time. Run as `node ledger-writer.mjs COUNT`; the settings say where.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { EventFeed, PlatformConfig, PlatformModule } from '../../dist/server/libs/platform/src/index.js';
import { LedgerCheck, Receipts, ReceiptsModule, receiptsMigrations } from '../../dist/server/libs/receipts/src/index.js';

const AT_ONCE = 16;

/** Platform and receipts of the built product, without a socket. */
export async function openLedger(env = process.env) {
  const before = { ...process.env };
  Object.assign(process.env, env);
  const config = PlatformConfig.read();
  process.env = before;
  const imports = [PlatformModule.forRoot({ migrations: [receiptsMigrations], config }), ReceiptsModule];
  class LedgerModule {}
  const app = await NestFactory.createApplicationContext({ module: LedgerModule, imports }, { logger: ['error'], abortOnError: false });
  return {
    app,
    receipts: app.get(Receipts),
    check: app.get(LedgerCheck),
    write: (draft) => app.get(EventFeed).write((tx, append) => app.get(Receipts).write(tx, append, draft)),
    close: () => app.close(),
  };
}

/** A run as execution tells it, of about 4.5 KB. */
export function sampleDraft(turn = 0) {
  const ids = { plan_id: randomUUID(), session_id: randomUUID() };
  const at = new Date().toISOString();
  const argv = ['git', 'log', '--oneline', `-${turn}`];
  const pin = (path) => ({ path, dev: 1, ino: 2, size: 3, mtimeMs: 4, ctimeMs: 5 });
  return {
    scope: { owner: randomUUID(), sessionId: ids.session_id },
    body: {
      ...ids,
      command: argv.join(' '),
      cwd: '/srv/work',
      mode: 'confirm',
      risk: 'low',
      approved: true,
      policy: { allowed: true, risk: 'low', requires_approval: false, reasons: ['Reads the history'], argv },
      status: 'succeeded',
      started_at: at,
      finished_at: at,
      duration_ms: 12,
      exit_code: 0,
      signal: null,
      stdout: 'a1b2c3d a line of the history\n'.repeat(40),
      stderr: '',
      output_truncated: false,
    },
    evidence: {
      ...ids,
      kind: 'run',
      requester: { id: randomUUID(), name: 'build bot', kind: 'token', channel: 'mcp' },
      at,
      summary: `Run succeeded, exit code 0: ${argv.join(' ')}`,
      plan_digest: 'a1'.repeat(32),
      run_id: randomUUID(),
      workspace: { id: randomUUID(), name: 'work', root: '/srv/work' },
      pins: {
        cwd: pin('/srv/work'),
        root: pin('/srv/work'),
        executables: [pin('/usr/bin/git')],
        files: [],
        envNames: [],
        policyVersion: '1',
      },
      policy: { version: '1', outcome: 'allow', risk: 'low', rules: ['git.read'], reasons: ['Reads the history'] },
      outcome: 'succeeded',
      limits: { timeoutMs: 120_000, maxOutputBytes: 1_048_576 },
      stages: [{ join: 'first', argv, ran: true, exitCode: 0, signal: null, durationMs: 10 }],
      stdout: { bytes: 1_200, sha256: 'b2'.repeat(32), kept: 1_200, redactions: 0, invalidUtf8: 0 },
      stderr: { bytes: 0, sha256: 'e3'.repeat(32), kept: 0, redactions: 0, invalidUtf8: 0 },
      usage: { wall_ms: 12, cpu_ms: 8, max_rss_bytes: 5_000_000 },
      survivors: [],
    },
    approverNames: [],
    workspaceName: 'work',
  };
}

export async function writeMany(ledger, count) {
  let next = 0;
  const writer = async () => {
    while (next < count) await ledger.write(sampleDraft((next += 1)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const ledger = await openLedger();
  await writeMany(ledger, Number(process.argv[2]));
  await ledger.close();
}
