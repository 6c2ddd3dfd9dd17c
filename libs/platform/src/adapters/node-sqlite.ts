import { chmodSync, closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import type { Watch } from '../database.js';

/** How long a write waits for one of another process: in short slices, because SQLite itself waits by blocking the thread. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_SLICE_MS = 5;
const SQLITE_BUSY = 5;
const POLL_MS = 100;
const MAX_CACHED_STATEMENTS = 500;
const PRIVATE_FILE = 0o600;

/** Owner of one SQLite file: opened for durable writes, readable by its user only, statements prepared once. */
export class SqliteFile implements SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(file: string) {
    // SQLite gives its -wal and -shm files the mode of the main file.
    closeSync(openSync(file, 'a', PRIVATE_FILE));
    chmodSync(file, PRIVATE_FILE);
    this.#db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    this.#db.exec(`pragma busy_timeout = ${String(BUSY_SLICE_MS)}`);
  }

  get isTransaction(): boolean {
    return this.#db.isTransaction;
  }

  prepare(sql: string): SqliteStatement {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = toStatement(this.#db.prepare(sql));
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  /** Tells when another process (or another connection) has committed: `data_version` moves for those only. */
  readonly watch: Watch = (changed) => {
    const version = this.#db.prepare('pragma data_version');
    let last = version.get()?.['data_version'];
    const timer = setInterval(() => {
      if (!this.#db.isOpen) return;
      const now = version.get()?.['data_version'];
      if (now === last) return;
      last = now;
      changed();
    }, POLL_MS);
    timer.unref();
    return () => {
      clearInterval(timer);
      return Promise.resolve();
    };
  };
}

function toStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...toInput(parameters)),
    run: (parameters) => statement.run(...toInput(parameters)),
    iterate: (parameters) => statement.iterate(...toInput(parameters)),
  };
}

/** Kysely types parameters as unknown; SQLite itself refuses what it cannot store. */
function toInput(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}

/** The one connection, which waits for a lock without holding up the rest of the process. */
class PatientConnection implements DatabaseConnection {
  constructor(
    private readonly inner: DatabaseConnection,
    private readonly file: SqliteFile,
  ) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const giveUpAt = Date.now() + BUSY_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.inner.executeQuery<R>(query);
      } catch (error) {
        // Once a transaction holds the lock nothing in it can be busy.
        if (!isBusy(error) || this.file.isTransaction || Date.now() >= giveUpAt) throw error;
      }
      await setTimeout(BUSY_SLICE_MS);
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}

/** Takes the write lock at the start, so that a transaction that reads first cannot fail when it comes to write. */
class ImmediateDriver extends SqliteDriver {
  readonly #file: SqliteFile;
  #connection: DatabaseConnection | undefined;

  constructor(file: SqliteFile) {
    super({ database: file });
    this.#file = file;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new PatientConnection(await super.acquireConnection(), this.#file);
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'));
  }

  /** A full disk ends the transaction by itself; rolling back again would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQLite can roll schema changes back; saying so makes the migrator work in one immediate transaction. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super({ database: file });
    this.#file = file;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#file);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}
