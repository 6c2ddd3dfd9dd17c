import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import type { EventScope, PrincipalId, WorkspaceId } from '#contracts';
import { TestClock } from '../../../test/support/clock.js';
import { engines, openAgain } from '../../../test/support/engines.js';
import { openDatabase, prepareDatabase } from './adapters/open-database.js';
import { platformMigrations } from './adapters/platform.migrations.js';
import type { Database, Migrations } from './database.js';
import { EventFeed } from './event-feed.js';

type Tables = {
  parents: { id: string };
  children: { id: string; parent: string; at: number; is_old: number };
};
const migrations: Migrations = {
  test_001: {
    async up(db) {
      await db.schema
        .createTable('parents')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .execute();
      await db.schema
        .createTable('children')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('parent', 'text', (column) => column.notNull().references('parents.id'))
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('is_old', 'integer', (column) => column.notNull())
        .execute();
    },
  },
};

describe.each(engines)('Database on %s', (_name, open) => {
  let db: Database;
  beforeEach(async () => {
    db = await open(migrations);
  });
  afterEach(() => db.destroy());
  const tables = () => db.$extendTables<Tables>();

  it('reads large integers and counts as numbers', async () => {
    const at = 1_900_000_000_000;
    await tables().insertInto('parents').values({ id: 'p' }).execute();
    await tables().insertInto('children').values({ id: 'c', parent: 'p', at, is_old: 1 }).execute();
    const row = await tables()
      .selectFrom('children')
      .select(['at', 'is_old'])
      .select(sql<number>`count(*) over ()`.as('all'))
      .executeTakeFirst();
    expect(row).toEqual({ at, is_old: 1, all: 1 });
  });

  it('holds foreign keys', async () => {
    await expect(tables().insertInto('children').values({ id: 'c', parent: 'none', at: 1, is_old: 0 }).execute()).rejects.toThrow();
  });

  it('says which migration failed, and keeps nothing of it', async () => {
    const failing: Migrations = {
      test_002: {
        async up(tx) {
          await tx.schema.createTable('half').addColumn('id', 'text').execute();
          throw new Error('no');
        },
      },
    };
    const tried = db.migrate({ ...platformMigrations, ...migrations, ...failing });
    await expect(tried).rejects.toMatchObject({ name: 'StartError', message: 'The database could not be brought up to date (test_002)' });
    expect((await db.introspection.getTables()).map(({ name }) => name)).not.toContain('half');
  });

  it('lets a read begin a transaction that writes later, beside others that do the same', async () => {
    await tables().insertInto('parents').values({ id: 'p' }).execute();
    await tables().insertInto('children').values({ id: 'c', parent: 'p', at: 0, is_old: 0 }).execute();
    const add = () =>
      db.transaction().execute(async (tx) => {
        const children = tx.$extendTables<Tables>();
        await children.selectFrom('children').selectAll().execute();
        await children
          .updateTable('children')
          .set((eb) => ({ at: eb('at', '+', 1) }))
          .execute();
      });
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await tables().selectFrom('children').select('at').executeTakeFirst()).toEqual({ at: 8 });
  });
});

const scope: EventScope = { owner: 'alice' as PrincipalId, sessionId: null };
const removed = (feed: EventFeed, name: string) =>
  feed.write((_tx, append) => append(scope, { type: 'workspace.removed', workspaceId: name as WorkspaceId }));

describe.each(engines)('two connections to one %s database', (_name, open) => {
  it('may bring the schema up to date together', async () => {
    const one = await open();
    const two = openAgain(one);
    await Promise.all([one, two].map((db) => db.migrate({ ...platformMigrations, ...migrations })));
    await two.destroy();
    await one.destroy();
  });

  it('hear of each other without being asked', async () => {
    const one = await open();
    const two = openAgain(one);
    const [first, second] = [new EventFeed(one, new TestClock()), new EventFeed(two, new TestClock())];
    await second.onModuleInit();
    const heard = new Promise((resolve) => second.live.subscribe(({ seq }) => resolve(seq)));
    await removed(first, 'a');
    expect(await heard).toBe(1);
    await second.onModuleDestroy();
    await two.destroy();
    await one.destroy();
  });
});

it.each(engines)('a watch on %s goes on after its connection broke', async (_name, open) => {
  const one = await open();
  const two = openAgain(one);
  const [first, second] = [new EventFeed(one, new TestClock()), new EventFeed(two, new TestClock())];
  await second.onModuleInit();
  const told: number[] = [];
  second.live.subscribe(({ seq }) => told.push(seq));
  if (one.engine === 'postgres') await endListeners(one);
  await removed(first, 'a');
  await until(() => told.length === 1);
  await second.onModuleDestroy();
  await two.destroy();
  await one.destroy();
});

it.each(engines)('a transaction on %s whose connection dies between two statements fails, and the next one works', async (_name, open) => {
  const one = await open();
  const two = openAgain(one);
  if (one.engine === 'postgres') {
    const cut = one.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        two,
      );
      await sleep(200); // nothing is asked while the word of the end arrives
      await sql`select 1`.execute(tx);
    });
    await expect(cut).rejects.toThrow();
  }
  await removed(new EventFeed(one, new TestClock()), 'a');
  await two.destroy();
  await one.destroy();
});

/** Ends the connections that listen, once there is one. */
async function endListeners(db: Database): Promise<void> {
  const listens = sql<{ pid: number }>`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`;
  await until(async () => (await listens.execute(db)).rows.length > 0);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 5_000;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error('It did not come to that');
    await sleep(10);
  }
}

describe('a start that cannot succeed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-start-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('says that the file is no database', async () => {
    writeFileSync(join(dataDir, 'countersign.db'), 'x'.repeat(10_000));
    await expect(prepareDatabase({ dataDir }, platformMigrations)).rejects.toThrow(
      /countersign\.db" cannot be opened \(file is not a database\)/,
    );
  });

  it('says that nothing answers, without the address', async () => {
    const databaseUrl = 'postgresql://countersign:hunter2@127.0.0.1:1/countersign';
    const failed = prepareDatabase({ dataDir, databaseUrl }, platformMigrations);
    await expect(failed).rejects.toThrow('The database of DATABASE_URL does not answer (ECONNREFUSED)');
  });
});

describe('a SQLite file', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-two-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('waits for the lock of another process instead of failing', async () => {
    const db = openDatabase({ dataDir });
    await db.migrate(platformMigrations);
    const held = holdLock(join(dataDir, 'countersign.db'), 300);
    await held.locked;
    await removed(new EventFeed(db, new TestClock()), 'a');
    await held.ended;
    await db.destroy();
  });

  it('is its user’s alone, and every commit is synced', async () => {
    const db = openDatabase({ dataDir });
    await db.migrate(platformMigrations);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(join(dataDir, `countersign.db${suffix}`)).mode & 0o777).toBe(0o600);
    }
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
    expect(rows).toEqual([{ synchronous: 2 }]);
    await db.destroy();
  });
});

/** A writer with its own thread, because the waiting one blocks this one. */
function holdLock(file: string, ms: number): { readonly locked: Promise<void>; readonly ended: Promise<void> } {
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const db = new (require('node:sqlite').DatabaseSync)(workerData.file);
     db.exec('begin immediate');
     parentPort.postMessage('locked');
     setTimeout(() => { db.exec('commit'); db.close(); }, workerData.ms);`,
    { eval: true, workerData: { file, ms } },
  );
  return {
    locked: new Promise((resolve) => worker.once('message', () => resolve())),
    ended: new Promise((resolve) => worker.once('exit', () => resolve())),
  };
}
