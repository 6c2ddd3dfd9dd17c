import { sql, type Kysely } from 'kysely';
import { engineOf, type Migrations } from '#platform';

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
  receipts_004_search: {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const column of ['workspace_id', 'tool', 'verdict']) await db.schema.alterTable('receipts').addColumn(column, 'text').execute();
      await db.schema
        .alterTable('ledger_head')
        .addColumn('at', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      const field = (part: string, ...path: readonly string[]) =>
        engineOf(db) === 'sqlite'
          ? sql`json_extract(${sql.ref(part)}, ${`$.${path.join('.').replace(/\.(\d)/, '[$1]')}`})`
          : sql`${sql.ref(part)}::json #>> ${path}::text[]`;
      await sql`update receipts set workspace_id = ${field('evidence', 'workspace', 'id')},
        verdict = ${field('evidence', 'policy', 'outcome')}, tool = ${field('receipt', 'policy', 'argv', '0')}`.execute(db);
      // From here on the time of an entry never lies before that of the entry before it.
      await sql`update receipts set at = (select latest from (select place, max(at) over (order by place) as latest from receipts) as found
        where found.place = receipts.place)`.execute(db);
      await sql`update ledger_head set at = coalesce((select max(at) from receipts), 0)`.execute(db);
      // The first one also counts by itself, without a look at the rows.
      const indexes = { at: ['at', 'outcome', 'kind', 'verdict'], kind: ['kind', 'place'], workspace: ['workspace_id', 'place'] };
      for (const [name, columns] of Object.entries({ ...indexes, tool: ['tool', 'place'], verdict: ['verdict', 'place'] })) {
        await db.schema.createIndex(`receipts_${name}`).on('receipts').columns(columns).execute();
      }
      await db.schema
        .createTable('receipt_index')
        .addColumn('slot', 'integer', (column) => column.primaryKey())
        .addColumn('next', 'bigint', (column) => column.notNull())
        .execute();
      await sql`insert into receipt_index (slot, next) values (1, 0)`.execute(db);
      if (engineOf(db) === 'sqlite') {
        const options = sql`tokenize = 'trigram', content = '', contentless_delete = 1, detail = none`;
        await sql`create virtual table receipt_search using fts5(grams, ${options})`.execute(db);
      } else {
        await sql`create table receipt_search (place bigint primary key, grams text[] not null)`.execute(db);
        await sql`create index receipt_search_grams on receipt_search using gin (grams)`.execute(db);
      }
    },
  },
  receipts_005_retention: {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('receipts').addColumn('deleted_by', 'bigint').execute();
      await db.schema
        .createTable('retention_rules')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('workspace_id', 'text')
        .addColumn('keep_days', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('made_by', 'text', (column) => column.notNull())
        // The first place that the rule has not looked at yet.
        .addColumn('done', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
};
