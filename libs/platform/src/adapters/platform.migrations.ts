import type { Kysely } from 'kysely';
import { engineOf, type Migrations } from '../database.js';

export const platformMigrations: Migrations = {
  platform_001_events: {
    // Migrations see the schema of their own time, not today's tables.
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('event_counter')
        .addColumn('last', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('events')
        // On SQLite an integer key is the row's own place; any other type costs an index of its own.
        .addColumn('seq', engineOf(db) === 'sqlite' ? 'integer' : 'bigint', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text')
        .addColumn('body', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('settings')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute();
      await (db as Kysely<{ event_counter: { last: number } }>).insertInto('event_counter').values({ last: 0 }).execute();
    },
  },
};
