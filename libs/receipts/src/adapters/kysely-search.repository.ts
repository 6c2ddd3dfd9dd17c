import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { ReceiptSummary } from '#contracts';
import { Database, type Tx } from '#platform';
import { gramsOf, likePattern, searchWords } from '../core/search-words.js';
import { SearchRepository, type CountRow, type CountsWanted, type ReceiptFilter, type ReceiptsWanted } from '../ports.js';
import type { ReceiptsTables } from './tables.js';
import { TEXT_INDEX, type TextIndex } from './text-index.js';

/** Entries from one place to another that a search looks through. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Look extends Stretch {
  readonly filter: ReceiptFilter;
  readonly words: readonly string[];
  /** Empty: the index is of no use, so the rows are read. */
  readonly grams: readonly string[];
  readonly limit: number;
}

/** SQLite reads while the process waits: so much at a time that others get their turn in between. */
const READ_AT_ONCE = 20_000;
/** The same where indexes leave few rows to read: each turn begins anew, which costs more than its work when turns are short. */
const INDEXED_AT_ONCE = 100_000;

/** SQLite knows nothing of how the values are spread, so the order is ours. */
const NARROWING = ['tool', 'workspaceId', 'owner', 'outcome', 'verdict', 'kind'] as const;
const COLUMNS = {
  tool: 'tool',
  workspaceId: 'workspace_id',
  owner: 'owner',
  outcome: 'outcome',
  verdict: 'verdict',
  kind: 'kind',
} as const;

/** Search over receipts, on both engines: by columns with an index each, and by text with the index of runs of letters. */
@Injectable()
export class KyselySearchRepository extends SearchRepository {
  readonly #texts: TextIndex;

  constructor(private readonly db: Database) {
    super();
    this.#texts = TEXT_INDEX[db.engine];
  }

  override stretch(filter: Pick<ReceiptFilter, 'from' | 'to'>): Promise<Stretch> {
    return this.#stretch(filter);
  }

  override async page({ before, limit, q, ...filter }: ReceiptsWanted): Promise<readonly ReceiptSummary[]> {
    const { from, to } = await this.#stretch(filter, before);
    const words = searchWords(q ?? '');
    const look = { filter, words, grams: [], limit, from, to };
    if (words.length === 0) return givenOf(filter).length > 1 ? this.#inTurns(look) : this.#rows(look);
    const next = await this.#indexed();
    const found = await this.#inTurns({ ...look, from: Math.max(from, next) });
    if (found.length >= limit || from >= next) return found;
    const grams = [...new Set(words.flatMap(gramsOf))];
    return [...found, ...(await this.#inTurns({ ...look, grams, limit: limit - found.length, to: Math.min(to, next) }))];
  }

  override async counts({ owner, from, to, stepMs, by }: CountsWanted): Promise<readonly CountRow[]> {
    const step = sql<number>`cast((at - ${from}) / ${stepMs} as integer)`;
    let query = this.#on()
      .selectFrom('receipts')
      .select([step.as('step'), `${by} as name`, (eb) => eb.fn.countAll<number>().as('count')])
      .where('at', '>=', from)
      .where('at', '<', to)
      .groupBy([sql`1`, by])
      .orderBy(sql`1`)
      .orderBy(by);
    if (owner !== undefined) query = query.where('owner', '=', owner);
    return (await query.execute()).map(({ step, name, count }) => ({ at: from + step * stepMs, name, count }));
  }

  override extend(most: number): Promise<number> {
    return this.db.transaction().execute(async (tx) => {
      const next = await this.#lock(tx);
      const rows = await tx
        .$extendTables<ReceiptsTables>()
        .selectFrom('receipts')
        .select(['place', 'search'])
        .where('place', '>=', next)
        .orderBy('place')
        .limit(most)
        .execute();
      const last = rows.at(-1);
      if (!last) return 0;
      await this.#texts.add(
        tx,
        rows.filter(({ search }) => search !== '').map(({ place, search }) => ({ place, text: search })),
      );
      await tx
        .$extendTables<ReceiptsTables>()
        .updateTable('receipt_index')
        .set({ next: last.place + 1 })
        .execute();
      return rows.length;
    });
  }

  /** The row is held, so that of two processes one extends the index. */
  async #lock(tx: Tx): Promise<number> {
    const row = await tx
      .$extendTables<ReceiptsTables>()
      .updateTable('receipt_index')
      .set({ next: sql`next` })
      .returning('next')
      .executeTakeFirstOrThrow();
    return row.next;
  }

  async #indexed(): Promise<number> {
    return (await this.#on().selectFrom('receipt_index').select('next').executeTakeFirstOrThrow()).next;
  }

  /** Times follow the order of entries, so a stretch of time is a stretch of places. */
  async #stretch({ from, to }: ReceiptFilter, before = Number.MAX_SAFE_INTEGER): Promise<Stretch> {
    const { size } = await this.#on().selectFrom('ledger_head').select('size').executeTakeFirstOrThrow();
    return {
      from: from === undefined ? 0 : await this.#firstFrom(from),
      to: Math.min(before, size, to === undefined ? size : await this.#firstFrom(to)),
    };
  }

  /** The place of the first entry of this time or a later one. */
  async #firstFrom(time: number): Promise<number> {
    const last = this.#on().selectFrom('receipts').select('at').where('at', '<', time).orderBy('at', 'desc').limit(1);
    const row = await this.#on()
      .selectFrom('receipts')
      .select((eb) => eb.fn.max('place').as('place'))
      .where('at', '=', last)
      .executeTakeFirst();
    return row?.place == null ? 0 : row.place + 1;
  }

  async #inTurns(look: Look): Promise<readonly ReceiptSummary[]> {
    const isIndexed = look.grams.length > 0 || look.words.length === 0;
    const atOnce = this.db.engine === 'postgres' ? Infinity : isIndexed ? INDEXED_AT_ONCE : READ_AT_ONCE;
    const found: ReceiptSummary[] = [];
    for (let to = look.to; to > look.from && found.length < look.limit; to -= atOnce) {
      const from = Math.max(look.from, to - atOnce);
      found.push(...(await this.#rows({ ...look, from, to, limit: look.limit - found.length })));
      await setImmediate();
    }
    return found;
  }

  async #rows({ filter, words, grams, from, to, limit }: Look): Promise<readonly ReceiptSummary[]> {
    const place = grams.length === 0 ? sql<number>`receipts.place` : this.#texts.place;
    const conditions = [
      // Numbers come to SQLite as real ones, which its text index does not take for the limits of a place.
      sql<boolean>`${place} >= cast(${from} as bigint)`,
      sql<boolean>`${place} < cast(${to} as bigint)`,
      ...(grams.length === 0 ? [] : [this.#texts.holds(grams)]),
      ...this.#narrowed({ filter, from, to }, grams.length > 0 ? place : undefined),
      ...words.map((word) => sql<boolean>`receipts.search like ${likePattern(word)} escape '\\'`),
    ];
    // On SQLite a cross join is read from left to right: the index first, newest entries first, and no more than needed.
    const source = grams.length === 0 ? sql`receipts` : sql`receipt_search cross join receipts`;
    const joined = grams.length === 0 ? sql`` : sql`receipts.place = ${this.#texts.place} and`;
    const { rows } = await sql<{ summary: string }>`select receipts.summary from ${source}
      where ${joined} ${sql.join(conditions, sql` and `)} order by ${place} desc limit ${limit}`.execute(this.db);
    return rows.map(({ summary }) => JSON.parse(summary) as ReceiptSummary); // only `insert` writes it
  }

  /**
   * SQLite takes one index for a table: the first column drives, unless the text does, and the others are looked up in lists
   * of places, which their indexes hold without a look at the rows. PostgreSQL chooses by itself.
   */
  #narrowed({ filter, from, to }: Stretch & Pick<Look, 'filter'>, text: RawBuilder<number> | undefined): readonly RawBuilder<boolean>[] {
    const isPlain = (at: number): boolean => this.db.engine === 'postgres' || (at === 0 && text === undefined);
    return givenOf(filter).map((name, at) => {
      const is = sql<boolean>`${sql.ref(COLUMNS[name])} = ${filter[name]}`;
      if (isPlain(at)) return sql<boolean>`receipts.${is}`;
      const stretch = sql`place >= cast(${from} as bigint) and place < cast(${to} as bigint)`;
      // The plus keeps SQLite from going through the list instead.
      return sql<boolean>`+${text ?? sql`receipts.place`} in (select place from receipts where ${is} and ${stretch})`;
    });
  }

  #on() {
    return this.db.$extendTables<ReceiptsTables>();
  }
}

/** What narrows most comes first. */
function givenOf(filter: ReceiptFilter): readonly (keyof typeof COLUMNS)[] {
  return NARROWING.filter((name) => filter[name] !== undefined);
}
