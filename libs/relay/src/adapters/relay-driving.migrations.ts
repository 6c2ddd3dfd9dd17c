import type { Migrations } from '#platform';

/** What the relay remembers besides its hosts. */
export const drivingMigrations: Migrations = {
  relay_driving_001: {
    async up(db) {
      await db.schema
        .createTable('relay_drives')
        .addColumn('host_id', 'text', (col) => col.notNull())
        .addColumn('host_session_id', 'text', (col) => col.notNull())
        .addColumn('workspace_id', 'text', (col) => col.notNull())
        .addColumn('principal_id', 'text', (col) => col.notNull())
        .addColumn('name', 'text', (col) => col.notNull())
        .addColumn('person_id', 'text')
        .addColumn('person_name', 'text')
        .addColumn('at', 'bigint', (col) => col.notNull())
        .addPrimaryKeyConstraint('relay_drives_key', ['host_id', 'host_session_id'])
        .execute();
      await db.schema
        .createTable('relay_stops')
        // Empty: everywhere. A key cannot be null.
        .addColumn('workspace_id', 'text', (col) => col.primaryKey())
        .addColumn('by_id', 'text', (col) => col.notNull())
        .addColumn('by_name', 'text', (col) => col.notNull())
        .addColumn('reason', 'text', (col) => col.notNull())
        .addColumn('at', 'bigint', (col) => col.notNull())
        .execute();
      await db.schema
        .createTable('relay_budgets')
        .addColumn('host_id', 'text', (col) => col.notNull())
        .addColumn('host_session_id', 'text', (col) => col.notNull())
        .addColumn('max_tokens', 'bigint')
        .addColumn('max_minutes', 'bigint')
        .addColumn('tokens_before', 'bigint', (col) => col.notNull())
        .addColumn('counted_from', 'bigint', (col) => col.notNull())
        .addPrimaryKeyConstraint('relay_budgets_key', ['host_id', 'host_session_id'])
        .execute();
    },
  },
};
