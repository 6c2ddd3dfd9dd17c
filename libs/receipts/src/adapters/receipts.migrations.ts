import type { Kysely } from 'kysely';
import type { Migrations } from '#platform';

/**
 * Tables of receipts. Numbers that only grow are `integer` keys: SQLite then keeps the rows in their order without another index.
 * What lists need stands before the long texts; those may be forgotten later, the rest never. */
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
        .addColumn('number', 'integer', (column) => column.primaryKey())
        .addColumn('hash', 'text', (column) => column.notNull())
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
        .addColumn('place', 'integer', (column) => column.primaryKey())
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('leaf_hash', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('session_id', 'text')
        .addColumn('plan_id', 'text')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('outcome', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('summary', 'text', (column) => column.notNull())
        .addColumn('search', 'text', (column) => column.notNull())
        .addColumn('key_id', 'text', (column) => column.notNull())
        .addColumn('hmac_key_id', 'text')
        .addColumn('seed', 'text')
        .addColumn('signature', 'text')
        .addColumn('payload', 'text')
        .addColumn('evidence', 'text')
        .addColumn('receipt', 'text')
        .execute();
      await db.schema.createIndex('receipts_owner').on('receipts').columns(['owner', 'place']).execute();
      await db.schema.createIndex('receipts_outcome').on('receipts').columns(['outcome', 'place']).execute();
      await db.schema.createIndex('receipts_plan').on('receipts').columns(['plan_id']).execute();
    },
  },
  /** What a key may sign is said by the order of the ledger, so the head of the ledger names the keys of its next entry. */
  receipts_003_key_order: {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const column of ['last_index', 'revoked_at', 'revoked_index']) {
        await db.schema.alterTable('receipt_keys').addColumn(column, 'bigint').execute();
      }
      await db.schema
        .alterTable('receipt_keys')
        .addColumn('first_index', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      for (const column of ['key_id', 'hmac_key_id']) await db.schema.alterTable('ledger_head').addColumn(column, 'text').execute();
    },
  },
};
