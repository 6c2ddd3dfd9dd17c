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
};
