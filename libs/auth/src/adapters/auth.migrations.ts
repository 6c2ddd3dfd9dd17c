import type { Kysely } from 'kysely';
import type { Migrations } from '#platform';

/** Tables of auth. Times are milliseconds, lists are JSON text, secrets are SHA-256 in hex. */
export const authMigrations: Migrations = {
  auth_001_people: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('people')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('name_key', 'text', (column) => column.notNull().unique())
        .addColumn('roles', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('disabled_at', 'bigint')
        .execute();
      await db.schema
        .createTable('passwords')
        .addColumn('person_id', 'text', (column) => column.primaryKey().references('people.id'))
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('welcome_links')
        .addColumn('slot', 'integer', (column) => column.primaryKey())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('used_at', 'bigint')
        .execute();
    },
  },
  auth_002_credentials: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('console_sessions')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('console_sessions_person').on('console_sessions').columns(['person_id', 'created_at']).execute();
      await db.schema
        .createTable('tokens')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('hash', 'text', (column) => column.notNull().unique())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('person_id', 'text', (column) => column.references('people.id'))
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('origin', 'text', (column) => column.unique())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint')
        .addColumn('last_used_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .execute();
      await db.schema.createIndex('tokens_person').on('tokens').columns(['person_id', 'created_at']).execute();
    },
  },
};
