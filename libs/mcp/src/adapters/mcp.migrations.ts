import type { Migrations } from '#platform';

export const mcpMigrations: Migrations = {
  mcp_001_requests: {
    async up(db) {
      await db.schema
        .createTable('mcp_requests')
        .addColumn('principal', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('request_id', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('worker', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('answer', 'text')
        .addPrimaryKeyConstraint('mcp_requests_key', ['principal', 'tool', 'request_id'])
        .execute();
      await db.schema.createIndex('mcp_requests_by_age').on('mcp_requests').column('created_at').execute();
    },
  },
};
