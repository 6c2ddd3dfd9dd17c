import type { Kysely } from 'kysely';
import type { Migrations } from '#platform';

/** Tables of receipts. The lists' rows and the bodies stand apart, so that lists stay quick and bodies can be forgotten. */
export const receiptsMigrations: Migrations = {
  receipts_001_ledger: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('receipt_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('use', 'text', (column) => column.notNull())
        // The use while the key is active, else null: unique, so that there is one of each.
        .addColumn('active_as', 'text', (column) => column.unique())
        .addColumn('public_key', 'text')
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('retired_at', 'bigint')
        .execute();
      await db.schema
        .createTable('ledger_head')
        .addColumn('slot', 'integer', (column) => column.primaryKey())
        .addColumn('origin', 'text')
        .addColumn('size', 'bigint', (column) => column.notNull())
        .addColumn('edge', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ledger_nodes')
        .addColumn('level', 'integer', (column) => column.notNull())
        .addColumn('place', 'bigint', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('ledger_nodes_key', ['level', 'place'])
        .execute();
      await db.schema
        .createTable('ledger_checkpoints')
        .addColumn('size', 'bigint', (column) => column.primaryKey())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('key_id', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await (db as Kysely<{ ledger_head: { slot: number; size: number; edge: string } }>)
        .insertInto('ledger_head')
        .values({ slot: 1, size: 0, edge: '[]' })
        .execute();
    },
  },
  receipts_002_receipts: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('receipts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('place', 'bigint', (column) => column.notNull().unique())
        .addColumn('leaf_hash', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text')
        .addColumn('plan_id', 'text')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('outcome', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('summary', 'text', (column) => column.notNull())
        .addColumn('search', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('receipts_owner').on('receipts').columns(['owner', 'place']).execute();
      await db.schema.createIndex('receipts_outcome').on('receipts').columns(['outcome', 'place']).execute();
      await db.schema.createIndex('receipts_plan').on('receipts').columns(['plan_id']).execute();
      await db.schema
        .createTable('receipt_bodies')
        .addColumn('id', 'text', (column) => column.primaryKey().references('receipts.id'))
        .addColumn('receipt', 'text')
        .addColumn('evidence', 'text', (column) => column.notNull())
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('signature', 'text', (column) => column.notNull())
        .addColumn('key_id', 'text', (column) => column.notNull())
        .addColumn('hmac_key_id', 'text')
        .addColumn('seed', 'text', (column) => column.notNull())
        .execute();
    },
  },
};
