import type { Kysely } from 'kysely';
import type { Migrations } from '#platform';

/** Tables of connectors. Times are milliseconds, structures are JSON text, keys are sealed. */
export const oomolMigrations: Migrations = {
  oomol_001_connectors: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('connectors')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('settings', 'text', (column) => column.notNull())
        .addColumn('workspaces', 'text', (column) => column.notNull())
        .addColumn('sealed_key', 'text')
        .addColumn('sealed_admin_token', 'text')
        .addColumn('sealed_runtime_token', 'text')
        .addColumn('runtime_token_id', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('connector_defaults')
        .addColumn('connector_id', 'text', (column) => column.notNull().references('connectors.id'))
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('connector_defaults_key', ['connector_id', 'service'])
        .execute();
      await db.schema
        .createTable('action_runs')
        .addColumn('run_id', 'text', (column) => column.primaryKey())
        .addColumn('plan_id', 'text', (column) => column.notNull())
        .addColumn('connector_id', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('call', 'text', (column) => column.notNull())
        .addColumn('code', 'text')
        .addColumn('execution_id', 'text')
        .addColumn('audit_persisted', 'integer')
        .addColumn('findings', 'text', (column) => column.notNull())
        .addColumn('resolution', 'text')
        .addColumn('sent_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .execute();
      await db.schema.createIndex('action_runs_status').on('action_runs').columns(['status', 'run_id']).execute();
      await db.schema.createIndex('action_runs_connector').on('action_runs').columns(['connector_id', 'run_id']).execute();
    },
  },
};
