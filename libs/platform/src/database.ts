import { Kysely, SqliteAdapter, type Dialect, type Transaction } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StartError } from './start-error.js';

export interface PlatformTables {
  /** One row: the number of the last event. Updating it is the lock that orders all events. */
  event_counter: { last: number };
  events: { seq: number; at: number; owner: string; session_id: string | null; body: string };
  /** Small facts of this installation, by name. */
  settings: { name: string; value: string };
}

export type Tx = Transaction<PlatformTables>;
/** Keys such as `execution_001_plans`. They run in the order of their names; a lib refers to no other lib's tables. */
export type Migrations = Readonly<Record<string, Migration>>;
export type Engine = 'sqlite' | 'postgres';
/** Calls `changed` when other processes may have committed; may call too often, never too seldom. Returns how to stop. */
export type Watch = (changed: () => void) => () => Promise<void>;

/** Where commits on PostgreSQL announce the number of their last event. */
export const EVENT_CHANNEL = 'countersign_events';

/** The one connection to durable state, on either engine. Also the injection token; `openDatabase` makes one. */
export class Database extends Kysely<PlatformTables> {
  constructor(
    dialect: Dialect,
    readonly engine: Engine,
    /** Tells when other processes may have committed. */
    readonly watch: Watch,
  ) {
    super({ dialect });
  }

  /** Brings the schema up to date. Processes that start together wait for each other. */
  async migrate(migrations: Migrations): Promise<void> {
    const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
    // Every lib counts its own migrations, so a later one may sort before those of another lib.
    const { error, results } = await new Migrator({ db: this, provider, allowUnorderedMigrations: true }).migrateToLatest();
    if (error === undefined) return;
    const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
    throw new StartError(`The database could not be brought up to date${failed === undefined ? '' : ` (${failed})`}`, { cause: error });
  }
}

/** For migrations, which are given no `Database`: SQLite and PostgreSQL name a few column types differently. */
export function engineOf(db: Kysely<never> | Kysely<unknown>): Engine {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}
