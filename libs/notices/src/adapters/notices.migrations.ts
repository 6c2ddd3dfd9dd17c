import type { Kysely } from 'kysely';
import type { Migrations } from '#platform';

/** Tables of notices. Times are milliseconds, structures are JSON text, addresses and secrets are sealed. */
export const noticesMigrations: Migrations = {
  notices_001_webhooks: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('webhooks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('format', 'text', (column) => column.notNull())
        .addColumn('place', 'text', (column) => column.notNull())
        .addColumn('sealed_url', 'text', (column) => column.notNull())
        .addColumn('sealed_secret', 'text', (column) => column.notNull())
        .addColumn('routes', 'text', (column) => column.notNull())
        .addColumn('quiet_hours', 'text')
        .addColumn('is_enabled', 'integer', (column) => column.notNull())
        .addColumn('stopped', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('deliveries')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('webhook_id', 'text', (column) => column.notNull().references('webhooks.id'))
        .addColumn('notice', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('leased_until', 'bigint', (column) => column.notNull())
        .addColumn('last_status', 'integer')
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .execute();
      await db.schema.createIndex('deliveries_due').on('deliveries').columns(['status', 'next_at']).execute();
      await db.schema.createIndex('deliveries_webhook').on('deliveries').columns(['webhook_id', 'id']).execute();
      await db.schema
        .createTable('notice_cursor')
        .addColumn('slot', 'integer', (column) => column.primaryKey())
        .addColumn('last', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('notice_reminders')
        .addColumn('ask_id', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('share', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('notice_reminders_key', ['ask_id', 'share'])
        .execute();
      await db.schema.createIndex('notice_reminders_at').on('notice_reminders').column('at').execute();
    },
  },
};
