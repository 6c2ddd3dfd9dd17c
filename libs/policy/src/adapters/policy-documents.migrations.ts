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
};
