import { setTimeout } from 'node:timers/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import { BUSY_SLICE_MS, type SqliteFile } from './sqlite-file.js';

/** How long a statement waits for another process, which commits many at once when it is busy. */
const BUSY_TIMEOUT_MS = 10_000;
const SQLITE_BUSY = 5;
/** So many are committed together at most: whoever came first has waited long enough. */
const MOST_TOGETHER = 64;

/** Transactions whose writes are made one after the other and become durable together. Nobody is told before that. */
interface Group {
  readonly durable: PromiseWithResolvers<void>;
  size: number;
}

/**
 * Owner of the order of writes to one file. One transaction is open at a time. Those that are ready in the same turn of the loop
 * share one commit, because the disk needs as long for many as for one; each of them still succeeds or fails by itself.
 */
export class SqliteWriter {
  readonly #turns = new Turns();
  /** What waits for its commit; the open transaction, if any, comes after it. */
  #group: Group | undefined;
  #isReadOnly = false;

  constructor(private readonly file: SqliteFile) {}

  /** A statement outside of any transaction. */
  async alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#turns.take();
    try {
      this.#finish();
      return await patiently(() => this.file.writer.run<R>(query));
    } finally {
      this.#turns.release();
    }
  }

  /** Takes the write lock at once, so that a transaction that reads first cannot fail when it comes to write. */
  async begin(isReadOnly: boolean): Promise<void> {
    await this.#turns.take();
    try {
      if (isReadOnly || (this.#group?.size ?? 0) >= MOST_TOGETHER) this.#finish();
      if (this.#group) this.#say('savepoint member');
      else await patiently(() => this.#say(isReadOnly ? 'begin' : 'begin immediate'));
      this.#isReadOnly = isReadOnly;
    } catch (error) {
      this.#turns.release();
      throw error;
    }
  }

  /** A statement of the open transaction. Once it holds the lock nothing in it can be busy. */
  inside<R>(query: CompiledQuery): QueryResult<R> {
    try {
      return this.file.writer.run<R>(query);
    } catch (error) {
      this.#loseIfOver(error);
      throw error;
    }
  }

  /** Settles once it is durable. */
  commit(): Promise<void> {
    if (this.#group) this.#say('release member');
    const group = (this.#group ??= { durable: Promise.withResolvers(), size: 0 });
    group.size += 1;
    if (this.#isReadOnly) this.#finish();
    this.#leave();
    return group.durable.promise;
  }

  /**
   * A full disk ends a transaction by itself; rolling back again would hide the reason. What was refused may have been refused for
   * what others of the group wrote, so that whoever asked hears of it once that is durable as well.
   */
  async rollback(): Promise<void> {
    const group = this.#group;
    this.#undo();
    await group?.durable.promise;
  }

  #undo(): void {
    try {
      if (!this.file.isTransaction) return;
      if (!this.#group) this.#say('rollback');
      else {
        this.#say('rollback to member');
        this.#say('release member');
      }
    } finally {
      this.#leave();
    }
  }

  close(): void {
    this.#finish();
    this.file.close();
  }

  /** Whoever is ready before the loop goes round may still join. */
  #leave(): void {
    this.#turns.release();
    if (this.#group) setImmediate(() => this.#turns.isTaken || this.#finish());
  }

  #finish(): void {
    const group = this.#group;
    if (!group) return;
    this.#group = undefined;
    try {
      this.#say('commit');
    } catch (error) {
      if (this.file.isTransaction) this.#say('rollback');
      group.durable.reject(error);
      return;
    }
    group.durable.resolve();
  }

  /** Some failures end everything since `begin`, so that nothing of the group is left to commit. */
  #loseIfOver(error: unknown): void {
    if (this.file.isTransaction) return;
    this.#group?.durable.reject(error);
    this.#group = undefined;
  }

  #say(sql: string): void {
    this.file.writer.run({ sql, parameters: [] });
  }
}

/** Waits for other processes without holding up the rest of this one. */
export async function patiently<T>(work: () => T): Promise<T> {
  const giveUpAt = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= giveUpAt) throw error;
    }
    await setTimeout(BUSY_SLICE_MS);
  }
}

function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}

/** One at a time, in the order in which they came. */
class Turns {
  readonly #line: (() => void)[] = [];
  isTaken = false;

  async take(): Promise<void> {
    if (this.isTaken) await new Promise<void>((resolve) => this.#line.push(resolve));
    this.isTaken = true;
  }

  /** The turn is handed on: nobody can come in between. */
  release(): void {
    const next = this.#line.shift();
    if (next) next();
    else this.isTaken = false;
  }
}
