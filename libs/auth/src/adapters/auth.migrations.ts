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
  auth_003_team: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .alterTable('people')
        .addColumn('workspace_roles', 'text', (column) => column.notNull().defaultTo('{}'))
        .execute();
      await db.schema
        .alterTable('people')
        .addColumn('factors', 'text', (column) => column.notNull().defaultTo('[]'))
        .execute();
      await db.schema
        .createTable('account_links')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('hash', 'text', (column) => column.notNull().unique())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('person_id', 'text', (column) => column.references('people.id'))
        .addColumn('roles', 'text', (column) => column.notNull())
        .addColumn('workspace_roles', 'text', (column) => column.notNull())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_by_name', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .execute();
      await db.schema.createIndex('account_links_open').on('account_links').columns(['ended_at', 'kind', 'created_at']).execute();
      // Sessions of before have no id, device or address: people sign in once more.
      await db.schema.dropTable('console_sessions').execute();
      await db.schema
        .createTable('console_sessions')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
        .addColumn('device', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .addColumn('proved_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('console_sessions_of_person').on('console_sessions').columns(['person_id', 'created_at']).execute();
    },
  },
  auth_004_second_factors: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('totp_secrets')
        .addColumn('person_id', 'text', (column) => column.primaryKey().references('people.id'))
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('confirmed_at', 'bigint')
        .addColumn('used_step', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('recovery_codes')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
        .execute();
      await db.schema.createIndex('recovery_codes_person').on('recovery_codes').column('person_id').execute();
      await db.schema
        .createTable('passkeys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('public_key', 'text', (column) => column.notNull())
        .addColumn('uses', 'bigint', (column) => column.notNull())
        .addColumn('transports', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_used_at', 'bigint')
        .execute();
      await db.schema.createIndex('passkeys_person').on('passkeys').columns(['person_id', 'created_at']).execute();
      await db.schema
        .createTable('proof_tickets')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
        .addColumn('tries_left', 'integer', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('proof_tickets_end').on('proof_tickets').column('expires_at').execute();
    },
  },
  auth_005_token_reach: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('tokens').addColumn('workspaces', 'text').execute();
      await db.schema.alterTable('tokens').addColumn('tool_families', 'text').execute();
      await db.schema.alterTable('tokens').addColumn('rate_per_minute', 'integer').execute();
      await db.schema
        .alterTable('tokens')
        .addColumn('created_by_name', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
      await db.schema.alterTable('tokens').addColumn('rotated_to', 'text').execute();
    },
  },
};
