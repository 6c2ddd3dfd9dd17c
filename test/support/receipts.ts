import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { PrincipalId, Principal, ReceiptFile, ReceiptId, SessionId } from '#contracts';
import { Clock, Database, EventFeed, newId, PlatformConfig, PlatformEnv, PlatformModule } from '#platform';
import { Receipts, ReceiptsModule, receiptsMigrations, type ReceiptDraft } from '#receipts';
import { TestClock } from './clock.js';
import { engines, type Open } from './engines.js';

export interface ReceiptsApp {
  readonly receipts: Receipts;
  readonly feed: EventFeed;
  readonly db: Database;
  readonly clock: TestClock;
  get<T>(token: Type<T>): T;
  /** In a transaction of its own. */
  write(draft: ReceiptDraft): Promise<ReceiptFile>;
  /** The whole file, as it is given out. */
  file(draft: ReceiptDraft): Promise<ReceiptFile>;
  close(): Promise<void>;
}

export interface ReceiptsAppOptions {
  readonly open?: Open;
  /** A database that another app has made; it stays open. */
  readonly db?: Database;
  readonly dataDir?: string;
}

/** Platform and receipts without a socket. */
export async function bootReceipts({ open = engines[0]?.[1], db: shared, dataDir: given }: ReceiptsAppOptions = {}): Promise<ReceiptsApp> {
  if (!open) throw new Error('There is no database engine');
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'countersign-receipts-'));
  const config = new PlatformConfig(PlatformEnv.parse({ COUNTERSIGN_DATA: dataDir, COUNTERSIGN_SECRET_KEY: SECRET_KEY }));
  const db = shared ?? (await open(receiptsMigrations));
  const clock = new TestClock(1_800_000_000_000);
  const module = await Test.createTestingModule({ imports: [PlatformModule.forRoot({ migrations: [], config }), ReceiptsModule] })
    .overrideProvider(Database)
    .useValue(shared ? withoutEnd(db) : db)
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  await module.init();
  const receipts = module.get(Receipts);
  const feed = module.get(EventFeed);
  const write = (draft: ReceiptDraft): Promise<ReceiptFile> => feed.write((tx, append) => receipts.write(tx, append, draft));
  return {
    receipts,
    feed,
    db,
    clock,
    get: (token) => module.get(token, { strict: false }),
    write,
    file: async (draft) => {
      const { evidence } = await write(draft);
      const file = await receipts.find(evidence.id as ReceiptId); // the brand exists at compile time only
      if (!file) throw new Error('The receipt is not there');
      return file;
    },
    close: async () => {
      await module.close();
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const SECRET_KEY = 'ab'.repeat(32);

/** The same database under another name, that its user cannot end. */
function withoutEnd(db: Database): Database {
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'destroy') return () => Promise.resolve();
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

export const OWNER = newId<PrincipalId>();
export const SESSION = newId<SessionId>();

export function aPrincipal(change: Partial<Principal> = {}): Principal {
  return {
    id: newId<PrincipalId>(),
    kind: 'person',
    name: 'Ada',
    roles: ['viewer'],
    scopes: ['receipts:read'],
    channel: 'console',
    expiresAt: Number.MAX_SAFE_INTEGER,
    ...change,
  };
}

type Body = NonNullable<ReceiptDraft['body']>;

/** A run of `cat notes.txt` that a person approved. */
export function aRunDraft(body: Partial<Body> = {}, evidence: Partial<ReceiptDraft['evidence']> = {}): ReceiptDraft {
  const planId = newId();
  const at = '2026-11-30T10:00:01.000Z';
  return {
    scope: { owner: OWNER, sessionId: SESSION },
    body: {
      plan_id: planId,
      session_id: SESSION,
      command: 'cat notes.txt',
      cwd: '/srv/work',
      mode: 'confirm',
      risk: 'low',
      approved: true,
      policy: { allowed: true, risk: 'low', requires_approval: true, reasons: ['Reads notes.txt'], argv: ['cat', 'notes.txt'] },
      status: 'succeeded',
      started_at: '2026-11-30T10:00:00.500Z',
      finished_at: at,
      duration_ms: 500,
      exit_code: 0,
      signal: null,
      stdout: 'höllo \u001b[1mwörld\u001b[0m 😀\n',
      stderr: '',
      output_truncated: false,
      ...body,
    },
    evidence: {
      kind: 'run',
      requester: { id: OWNER, name: 'build bot', kind: 'token', channel: 'mcp' },
      at,
      summary: 'cat notes.txt succeeded',
      plan_digest: 'a1'.repeat(32),
      plan_id: planId,
      session_id: SESSION,
      run_id: newId(),
      workspace: { id: newId(), name: 'work', root: '/srv/work' },
      pins: {
        cwd: aPin('/srv/work'),
        root: aPin('/srv/work'),
        executables: [aPin('/usr/bin/cat')],
        files: [],
        envNames: [],
        policyVersion: '1',
      },
      approvals: [{ by: newId(), name: 'Grace', channel: 'console', answer: 'approve', reason: 'for notes.txt', at }],
      policy: { version: '1', outcome: 'ask', risk: 'low', rules: ['read.inside'], reasons: ['Reads notes.txt'] },
      outcome: 'succeeded',
      limits: { timeoutMs: 120_000, maxOutputBytes: 1_048_576 },
      stages: [{ join: 'first', argv: ['cat', 'notes.txt'], ran: true, exitCode: 0, signal: null, durationMs: 400 }],
      stdout: { bytes: 12, sha256: 'b2'.repeat(32), kept: 12, redactions: 0, invalidUtf8: 0 },
      stderr: { bytes: 0, sha256: 'e3'.repeat(32), kept: 0, redactions: 0, invalidUtf8: 0 },
      details: { note: 'plain' },
      ...evidence,
    },
    approverNames: ['Grace'],
    workspaceName: 'work',
  };
}

function aPin(path: string) {
  return { path, dev: 1, ino: 2, size: 3, mtimeMs: 4.5, ctimeMs: 5.5 };
}

/** A plan that policy refused. */
export function aDecisionDraft(): ReceiptDraft {
  return {
    scope: { owner: OWNER, sessionId: SESSION },
    body: null,
    evidence: {
      kind: 'decision',
      requester: { id: OWNER, name: 'build bot', kind: 'token', channel: 'mcp' },
      at: '2026-11-30T10:00:00.000Z',
      summary: 'sudo reboot was refused',
      plan_id: newId(),
      session_id: SESSION,
      policy: { version: '1', outcome: 'deny', risk: 'blocked', rules: ['privilege'], reasons: ['sudo gains privileges'] },
      outcome: 'blocked',
    },
    approverNames: [],
    workspaceName: 'work',
  };
}
