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

/** A database for the whole product: settings that lead to it, and how to take it away. */
export interface ProductDatabase {
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

/** The same two engines for tests that boot the product itself. */
export const databases: readonly (readonly [Engine, () => Promise<ProductDatabase>])[] = [
  ['sqlite', () => Promise.resolve({ env: {}, remove: () => Promise.resolve() })],
  ...(POSTGRES_URL === undefined
    ? []
    : [
        [
          'postgres',
          async () => {
            const { url, drop } = await createPostgres(POSTGRES_URL);
            return { env: { DATABASE_URL: url }, remove: drop };
          },
        ] as const,
      ]),
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
    const { url, drop } = await createPostgres(server);
    return prepare({ dataDir: tmpdir(), databaseUrl: url }, migrations, drop);
  };
}

async function createPostgres(server: string): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `drop database if exists ${name} with (force)`) };
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
