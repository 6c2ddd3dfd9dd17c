import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Plan, Principal, PrincipalId, Workspace } from '#contracts';
import { ExecutionConfig, ExecutionEnv, ExecutionModule, Executor, executionMigrations, Workspaces } from '#execution';
import { mcpMigrations } from '#mcp';
import { Clock, Database, EventFeed, newId, PlatformConfig, PlatformEnv, PlatformModule, PrincipalDirectory } from '#platform';
import { Asks, policyMigrations } from '#policy';
import { receiptsMigrations } from '#receipts';
import { TestClock } from './clock.js';
import { engines, type Open } from './engines.js';
import { FakeExecutor } from './fake-executor.js';
import { FakeDirectory } from './platform-app.js';
import { aPrincipal } from './plans.js';

export interface ExecutionApp {
  readonly executor: FakeExecutor;
  readonly clock: TestClock;
  readonly db: Database;
  readonly feed: EventFeed;
  readonly dataDir: string;
  readonly workspace: Workspace;
  /** Plans commands. */
  readonly agent: Principal;
  /** Decides. */
  readonly person: Principal;
  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T;
  approve(plan: Plan): Promise<void>;
  /** Transactions that were begun so far. */
  commits(): number;
  /** Types of all events so far, in order. */
  events(): Promise<string[]>;
  /** Ends the app in an orderly way; the second form also takes its data away. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface ExecutionAppOptions {
  readonly open?: Open | undefined;
  /** A second process on the data of another app. */
  readonly beside?: ExecutionApp;
  readonly env?: Readonly<Record<string, string>>;
}

const SECRET_KEY = 'ab'.repeat(32);
const START = 1_800_000_000_000;

/** Platform, receipts, policy and execution without a socket, on a fake executor. The first workspace is in mode `confirm`. */
export async function bootExecution({ open = engines[0]?.[1], beside, env = {} }: ExecutionAppOptions = {}): Promise<ExecutionApp> {
  if (!open) throw new Error('There is no database engine');
  const dataDir = beside?.dataDir ?? realpathSync(mkdtempSync(join(tmpdir(), 'countersign-execution-')));
  const root = join(dataDir, 'site');
  mkdirSync(root, { recursive: true });
  const platform = new PlatformConfig(PlatformEnv.parse({ COUNTERSIGN_DATA: join(dataDir, 'data'), COUNTERSIGN_SECRET_KEY: SECRET_KEY }));
  mkdirSync(platform.dataDir, { recursive: true });
  const config = new ExecutionConfig(ExecutionEnv.parse({ WORKSPACE_ROOT: root, APPROVAL_MODE: 'confirm', ...env }));
  const db = beside?.db ?? (await open(mcpMigrations, receiptsMigrations, policyMigrations, executionMigrations));
  const clock = beside?.clock ?? new TestClock(START);
  const executor = new FakeExecutor();
  let commits = 0;
  const people = {
    module: class People {},
    global: true,
    providers: [{ provide: PrincipalDirectory, useValue: new FakeDirectory() }],
    exports: [PrincipalDirectory],
  };
  const module = await Test.createTestingModule({
    imports: [PlatformModule.forRoot({ migrations: [], config: platform }), people, ExecutionModule],
  })
    .overrideProvider(Database)
    .useValue(watched(db, () => (commits += 1)))
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(ExecutionConfig)
    .useValue(config)
    .overrideProvider(Executor)
    .useValue(executor)
    .compile();
  await module.init();
  const [workspace] = await module.get(Workspaces).list();
  if (!workspace) throw new Error('There is no workspace');
  const agent = beside?.agent ?? aPrincipal({ id: newId<PrincipalId>() });
  const person = aPrincipal({
    id: newId<PrincipalId>(),
    kind: 'person',
    name: 'Ada',
    scopes: ['approvals:decide', 'terminal:execute'],
    channel: 'console',
  });
  const feed = module.get(EventFeed);
  const get: ExecutionApp['get'] = (token) => module.get(token as never, { strict: false });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= module.close());
  return {
    executor,
    clock,
    db,
    feed,
    dataDir,
    workspace,
    agent,
    person,
    get,
    approve: async ({ askId, digest }) => {
      if (askId === null) throw new Error('The plan does not wait');
      await module.get(Asks, { strict: false }).vote({ principal: person, askId, answer: 'approve', digest });
    },
    commits: () => commits,
    events: async () => (await feed.after(0, 10_000)).map(({ type }) => type),
    stop,
    close: async () => {
      await stop();
      if (beside) return;
      await db.destroy();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The same database under another name, that its user cannot end and whose transactions are counted. */
function watched(db: Database, transacts: () => void): Database {
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'destroy') return () => Promise.resolve();
      if (name === 'transaction') transacts();
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
