import { join } from 'node:path';
import { PostgresDialect, sql } from 'kysely';
import { Database, type Migrations } from '../database.js';
import { StartError } from '../start-error.js';
import { openDataFolder } from './data-folder.js';
import { NodeSqliteDialect, SqliteFile } from './node-sqlite.js';
import { openPool, watchPostgres } from './postgres.js';

export interface DatabaseOptions {
  readonly dataDir: string;
  /** PostgreSQL when given, else a SQLite file in the data folder. */
  readonly databaseUrl?: string | undefined;
  /** Hears of connections that break while nobody uses them. */
  readonly failed?: (error: Error) => void;
}

export function openDatabase({ dataDir, databaseUrl, failed = () => undefined }: DatabaseOptions): Database {
  if (databaseUrl !== undefined) {
    return new Database(new PostgresDialect({ pool: openPool(databaseUrl, failed) }), 'postgres', watchPostgres(databaseUrl));
  }
  openDataFolder(dataDir);
  const path = join(dataDir, 'countersign.db');
  try {
    const file = new SqliteFile(path);
    return new Database(new NodeSqliteDialect(file), 'sqlite', file.watch);
  } catch (error) {
    throw new StartError(`The database file ${JSON.stringify(path)} cannot be opened (${wordOf(error)})`, { cause: error });
  }
}

/** The database of the settings, with today's schema, or the reason in words why it cannot be had. */
export async function prepareDatabase(options: DatabaseOptions, migrations: Migrations): Promise<Database> {
  const db = openDatabase(options);
  try {
    if (db.engine === 'postgres') await greet(db);
    await db.migrate(migrations);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Tells an address that leads nowhere from a schema that does not fit. */
async function greet(db: Database): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    throw new StartError(`The database of DATABASE_URL does not answer (${wordOf(error)})`, { cause: error });
  }
}

/** A code, or SQLite's own short word; a message could repeat the address with its password. */
function wordOf(error: unknown): string {
  const { code, errstr } = error as { readonly code?: unknown; readonly errstr?: unknown };
  return typeof errstr === 'string' ? errstr : typeof code === 'string' ? code : 'no reason given';
}
