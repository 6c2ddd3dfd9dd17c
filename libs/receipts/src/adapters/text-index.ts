import { sql, type RawBuilder } from 'kysely';
import type { Engine, Tx } from '#platform';
import { gramsOf } from '../core/search-words.js';

export interface IndexedText {
  readonly place: number;
  readonly text: string;
}

/**
 * Finds texts by their runs of three letters. What it finds still has to be looked at: it holds all the runs, in any order.
 * SQLite has an index of this kind of its own; on PostgreSQL the one extension for it may be missing, so lists of runs are
 * indexed there.
 */
export interface TextIndex {
  readonly add: (tx: Tx, texts: readonly IndexedText[]) => Promise<void>;
  readonly remove: (tx: Tx, places: readonly number[]) => Promise<void>;
  /** The column that holds the place. */
  readonly place: RawBuilder<number>;
  readonly holds: (grams: readonly string[]) => RawBuilder<boolean>;
}

const sqlite: TextIndex = {
  add: async (tx, texts) => {
    for (const { place, text } of texts) await sql`insert into receipt_search (rowid, grams) values (${place}, ${text})`.execute(tx);
  },
  remove: async (tx, places) => {
    for (const place of places) await sql`delete from receipt_search where rowid = ${place}`.execute(tx);
  },
  place: sql<number>`receipt_search.rowid`,
  holds: (grams) => sql<boolean>`receipt_search match ${grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ')}`,
};

const postgres: TextIndex = {
  add: async (tx, texts) => {
    const rows = texts.map(({ place, text }) => sql`(${place}::bigint, ${gramsOf(text)}::text[])`);
    await sql`insert into receipt_search (place, grams) values ${sql.join(rows)}`.execute(tx);
  },
  remove: async (tx, places) => {
    await sql`delete from receipt_search where place = any(${places}::bigint[])`.execute(tx);
  },
  place: sql<number>`receipt_search.place`,
  holds: (grams) => sql<boolean>`receipt_search.grams @> ${grams}::text[]`,
};

export const TEXT_INDEX: Readonly<Record<Engine, TextIndex>> = { sqlite, postgres };
