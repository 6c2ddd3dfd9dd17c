import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase, platformMigrations, type Database, type Engine, type Migrations } from '#platform';

/** An empty, migrated database; `destroy()` takes it away again. Platform's own tables are always there. */
export type Open = (...migrations: readonly Migrations[]) => Promise<Database>;

const POSTGRES_URL = process.env['TEST_DATABASE_URL'];

/** Both engines that a repository must work on: SQLite always, PostgreSQL where the test run brought one. */
export const engines: readonly (readonly [Engine, Open])[] = [
  ['sqlite', openSqlite],
  ...(POSTGRES_URL === undefined ? [] : [['postgres', openPostgres(POSTGRES_URL)] as const]),
];

const where = new WeakMap<Database, { readonly dataDir: string; readonly databaseUrl?: string }>();

/** Another connection to the same database, as another process has it. The caller destroys it first. */
export function openAgain(db: Database): Database {
  const options = where.get(db);
  if (!options) throw new Error('Only a database of these engines can be opened again');
  return openDatabase(options);
}

async function openSqlite(...migrations: readonly Migrations[]): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-db-'));
  return prepare({ dataDir }, migrations, () => {
    rmSync(dataDir, { recursive: true, force: true });
    return Promise.resolve();
  });
}

function openPostgres(server: string): Open {
  return async (...migrations) => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await onServer(server, `create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    return prepare({ dataDir: tmpdir(), databaseUrl: url.href }, migrations, () =>
      onServer(server, `drop database if exists ${name} with (force)`),
    );
  };
}

async function prepare(
  options: { readonly dataDir: string; readonly databaseUrl?: string },
  migrations: readonly Migrations[],
  remove: () => Promise<void>,
): Promise<Database> {
  const db = openDatabase(options);
  where.set(db, options);
  const destroy = db.destroy.bind(db);
  db.destroy = async () => {
    await destroy();
    await remove();
  };
  await db.migrate(Object.assign({}, platformMigrations, ...migrations) as Migrations);
  return db;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
