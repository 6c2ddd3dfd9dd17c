import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Watch } from '../database.js';

/** Before the slices of the driver: opening may meet another process that recovers the file. */
const OPENING_TIMEOUT_MS = 5_000;
/** SQLite itself waits by blocking the thread, so it waits in short slices. */
export const BUSY_SLICE_MS = 5;
const POLL_MS = 100;
const MAX_CACHED_STATEMENTS = 500;
/** Pages in the log before they are copied into the file: the same few pages change again and again, and are copied once. */
const CHECKPOINT_PAGES = 2_000;
const PRIVATE_FILE = 0o600;

/** One handle on the file, with the statements that were prepared on it. */
class Connection {
  readonly #statements = new Map<string, { readonly statement: StatementSync; readonly isReader: boolean }>();

  constructor(readonly db: DatabaseSync) {}

  run<R>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<R> {
    const { statement, isReader } = this.#prepared(sql);
    const values = parameters as SQLInputValue[]; // Kysely types them as unknown; SQLite itself refuses what it cannot store
    if (isReader) return { rows: statement.all(...values) as R[] }; // as the query says
    const { changes, lastInsertRowid } = statement.run(...values);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  *iterate<R>({ sql, parameters }: CompiledQuery): IterableIterator<R> {
    for (const row of this.#prepared(sql).statement.iterate(...(parameters as SQLInputValue[]))) yield row as R; // as above
  }

  close(): void {
    this.#statements.clear();
    if (this.db.isOpen) this.db.close();
  }

  #prepared(sql: string): { readonly statement: StatementSync; readonly isReader: boolean } {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = this.db.prepare(sql);
    const prepared = { statement, isReader: statement.columns().length > 0 };
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** Owner of one SQLite file, readable by its user only: a handle for durable writes, and one that sees only what is committed. */
export class SqliteFile {
  readonly writer: Connection;
  readonly reader: Connection;

  constructor(file: string) {
    // SQLite gives its -wal and -shm files the mode of the main file.
    closeSync(openSync(file, 'a', PRIVATE_FILE));
    chmodSync(file, PRIVATE_FILE);
    this.writer = open(
      file,
      `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`,
    );
    this.reader = open(file, 'pragma query_only = on');
  }

  get isTransaction(): boolean {
    return this.writer.db.isTransaction;
  }

  /** Sees what is committed and nothing else. The writer does too while it writes nothing, and it remembers what it has read. */
  get committed(): Connection {
    return this.isTransaction ? this.reader : this.writer;
  }

  close(): void {
    this.reader.close();
    this.writer.close();
  }

  /** Tells when another process (or another connection) has committed: `data_version` moves for those only. */
  readonly watch: Watch = (changed) => {
    const { db } = this.writer;
    const version = db.prepare('pragma data_version');
    let last = version.get()?.['data_version'];
    const timer = setInterval(() => {
      if (!db.isOpen) return;
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

function open(file: string, pragmas: string): Connection {
  const db = new DatabaseSync(file, { timeout: OPENING_TIMEOUT_MS });
  db.exec(`${pragmas}; pragma busy_timeout = ${String(BUSY_SLICE_MS)}`);
  return new Connection(db);
}
