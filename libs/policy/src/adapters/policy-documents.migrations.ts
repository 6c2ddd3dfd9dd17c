import type { Kysely } from 'kysely';
import type { Migrations } from '#platform';

/** Tables of policy documents, of what is proposed for them, and of remembered approvals. */
export const documentMigrations: Migrations = {
  policy_002_documents: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('policy_versions')
        .addColumn('version', 'integer', (column) => column.primaryKey())
        .addColumn('info', 'text', (column) => column.notNull())
        .addColumn('yaml', 'text', (column) => column.notNull())
        .execute();
    },
  },
  policy_003_proposals: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('policy_proposals')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('proposer', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('policy_proposals_open').on('policy_proposals').columns(['proposer', 'status']).execute();
    },
  },
  policy_004_remembered: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('remembered_approvals')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('session_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('family', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('uses', 'integer', (column) => column.notNull())
        .addColumn('last_used_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addColumn('ended_by', 'text')
        .addColumn('body', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('remembered_active').on('remembered_approvals').columns(['session_id', 'state', 'family']).execute();
    },
  },
};
