import { sql } from 'kysely';
import { type Clock } from './clock.js';
import { type Database, type Tx } from './database.js';

/**
 * The one time of all servers on one database, in milliseconds since 1970. What ends by time and is decided by any of several
 * servers asks here, so that servers whose own clocks differ agree on which side of an end a moment lies.
 */
export abstract class SharedClock {
  abstract now(tx?: Tx): Promise<number>;
}

/** Servers that share PostgreSQL may stand on different machines; its clock is the one that they share. */
export class DatabaseClock extends SharedClock {
  constructor(private readonly db: Database) {
    super();
  }

  override async now(tx?: Tx): Promise<number> {
    const asked = sql<{ readonly now: number }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
    const { rows } = await asked.execute(tx ?? this.db);
    return rows[0]?.now ?? Number.NaN; // a select without a table has one row
  }
}

/** A file is shared by processes of one machine, which have one clock. */
export class MachineClock extends SharedClock {
  constructor(private readonly clock: Clock) {
    super();
  }

  override now(): Promise<number> {
    return Promise.resolve(this.clock.now());
  }
}
