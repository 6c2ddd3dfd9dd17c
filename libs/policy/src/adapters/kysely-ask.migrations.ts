import { sql, type Kysely } from 'kysely';
import { engineOf, type Migrations } from '#platform';

/** Tables of asks, for every kind of ask. */
export const askMigrations: Migrations = {
  policy_001_asks: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('asks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('plan_id', 'text')
        .addColumn('requester', 'text', (column) => column.notNull())
        .addColumn('risk_rank', 'integer', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('resolved_at', 'bigint')
        .addColumn('closed_by', 'text')
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('questions', 'text')
        .addColumn('answers', 'text')
        .execute();
      await db.schema.createIndex('asks_open').on('asks').columns(['status', 'expires_at']).execute();
      await db.schema.createIndex('asks_closed').on('asks').columns(['resolved_at', 'id']).execute();
      await db.schema.createIndex('asks_plan').on('asks').columns(['plan_id']).execute();
      await db.schema
        .createTable('votes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('ask_id', 'text', (column) => column.notNull().references('asks.id'))
        .addColumn('voter', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addUniqueConstraint('votes_once_per_person', ['ask_id', 'voter'])
        .execute();
    },
  },
  policy_003_ask_workspaces: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('asks').addColumn('workspace_id', 'text').execute();
      const stands = engineOf(db) === 'sqlite' ? sql`json_extract(body, '$.workspaceId')` : sql`(body::json)->>'workspaceId'`;
      await sql`update asks set workspace_id = ${stands}`.execute(db);
    },
  },
};
