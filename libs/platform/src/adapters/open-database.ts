import { join } from 'node:path';
import { PostgresDialect } from 'kysely';
import { Database } from '../database.js';
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
  const file = new SqliteFile(join(dataDir, 'countersign.db'));
  return new Database(new NodeSqliteDialect(file), 'sqlite', file.watch);
}
