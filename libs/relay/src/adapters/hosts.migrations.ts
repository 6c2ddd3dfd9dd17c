import type { Kysely } from 'kysely';
import type { Migrations } from '#platform';

/** Hosts. Times are milliseconds, structures are JSON text; the key and what finds the process again are sealed. */
export const hostsMigrations: Migrations = {
  relay_hosts_001: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('hosts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('settings', 'text', (column) => column.notNull())
        .addColumn('workspaces', 'text', (column) => column.notNull())
        .addColumn('auto_approve', 'integer', (column) => column.notNull())
        .addColumn('is_wanted', 'integer', (column) => column.notNull())
        .addColumn('sealed_key', 'text')
        .addColumn('sealed_run', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
};
