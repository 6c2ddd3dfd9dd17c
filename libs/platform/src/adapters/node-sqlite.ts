import {
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { SqliteFile } from './sqlite-file.js';
import { patiently, SqliteWriter } from './sqlite-writer.js';

/** Kysely's way to one SQLite file of `node:sqlite`. */
export class NodeSqliteDialect implements Dialect {
  constructor(private readonly file: SqliteFile) {}

  createDriver(): Driver {
    return new NodeSqliteDriver(this.file);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite can roll schema changes back; saying so makes the migrator work in one immediate transaction. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The driver itself lets writers wait for each other; readers need not. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** What one caller does between acquire and release: statements by themselves, or in a transaction. */
class Lane implements DatabaseConnection {
  #isOpen = false;

  constructor(
    private readonly file: SqliteFile,
    private readonly writer: SqliteWriter,
  ) {}

  async begin({ accessMode }: TransactionSettings): Promise<void> {
    await this.writer.begin(accessMode === 'read only');
    this.#isOpen = true;
  }

  async commit(): Promise<void> {
    const durable = this.writer.commit();
    this.#isOpen = false;
    await durable;
  }

  /** After a commit that failed there is nothing left to roll back. */
  async rollback(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.writer.rollback();
  }

  /** What only reads sees what is committed, and waits for nobody. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOpen) return this.writer.inside<R>(query);
    return SelectQueryNode.is(query.query) ? patiently(() => this.file.committed.run<R>(query)) : this.writer.alone<R>(query);
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    await Promise.resolve(); // the rows themselves come at once
    for (const row of (this.#isOpen ? this.file.writer : this.file.reader).iterate<R>(query)) yield { rows: [row] };
  }
}

class NodeSqliteDriver implements Driver {
  readonly #writer: SqliteWriter;

  constructor(private readonly file: SqliteFile) {
    this.#writer = new SqliteWriter(file);
  }

  async init(): Promise<void> {
    // the file is open already
  }

  acquireConnection(): Promise<Lane> {
    return Promise.resolve(new Lane(this.file, this.#writer));
  }

  beginTransaction(lane: Lane, settings: TransactionSettings): Promise<void> {
    return lane.begin(settings);
  }

  commitTransaction(lane: Lane): Promise<void> {
    return lane.commit();
  }

  rollbackTransaction(lane: Lane): Promise<void> {
    return lane.rollback();
  }

  async releaseConnection(): Promise<void> {
    // a lane has nothing to give back
  }

  destroy(): Promise<void> {
    this.#writer.close();
    return Promise.resolve();
  }
}
