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
  policy_005_host_asks: {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const name of ['host_id', 'call_id', 'delivery', 'delivery_note', 'ended_why'])
        await db.schema.alterTable('asks').addColumn(name, 'text').execute();
      // One open ask for one call of a host; whoever comes second finds the first.
      await sql`create unique index asks_open_call on asks (host_id, call_id) where status = 'open'`.execute(db);
    },
  },
  policy_006_deciding: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('votes').addColumn('right_of', 'text').execute();
      await sql`update votes set right_of = voter`.execute(db);
      // One right is used once, by its person or by whom it was handed to.
      await db.schema.createIndex('votes_once_per_right').unique().on('votes').columns(['ask_id', 'right_of']).execute();
      await db.schema.alterTable('asks').addColumn('due_at', 'bigint').execute();
      await db.schema.alterTable('asks').addColumn('escalates_at', 'bigint').execute();
      await db.schema
        .alterTable('asks')
        .addColumn('escalated', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema.alterTable('asks').addColumn('lapsed', 'text').execute();
      const due = engineOf(db) === 'sqlite' ? sql`json_extract(body, '$.dueAt')` : sql`((body::json)->>'dueAt')::bigint`;
      await sql`update asks set due_at = ${due}`.execute(db);
      await sql`create index asks_escalating on asks (escalates_at) where status = 'open' and escalates_at is not null`.execute(db);
      await db.schema
        .createTable('delegations')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('giver', 'text', (column) => column.notNull())
        .addColumn('receiver', 'text', (column) => column.notNull())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .addColumn('revoked_by', 'text')
        .addColumn('body', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('delegations_to').on('delegations').columns(['receiver', 'until']).execute();
      await db.schema.createIndex('delegations_from').on('delegations').columns(['giver', 'until']).execute();
    },
  },
};
