import { Injectable } from '@nestjs/common';
import { sql, type Compilable } from 'kysely';
import { Database, type Tx } from '#platform';
import { nodeNumber, type NodePlace, type PlacedNode } from '../core/merkle.js';
import { LedgerRepository, type LedgerEdge, type StoredCheckpoint } from '../ports.js';
import { Statements } from './statements.js';
import type { ReceiptsTables } from './tables.js';

type HeadRow = Pick<ReceiptsTables['ledger_head'], 'size' | 'edge'>;

/** The only writer of the ledger's tree, on both engines. */
@Injectable()
export class KyselyLedgerRepository extends LedgerRepository {
  readonly #statements = new Statements();

  constructor(private readonly db: Database) {
    super();
  }

  /** An update that changes nothing takes the row's lock; SQLite's transactions hold the whole file already. */
  override async lock(tx: Tx): Promise<LedgerEdge> {
    const head = (): Compilable<HeadRow> =>
      this.#on()
        .updateTable('ledger_head')
        .set({ size: sql`size` })
        .returning(['size', 'edge']);
    const { rows } = await tx.executeQuery(this.#statements.query('lock', head, []));
    const [row] = rows;
    if (!row) throw new Error('The ledger has no head');
    return toEdge(row);
  }

  override async append(tx: Tx, { size, edge }: LedgerEdge, nodes: readonly PlacedNode[]): Promise<void> {
    const head = (): Compilable => this.#on().updateTable('ledger_head').set({ size: 0, edge: '' });
    await tx.executeQuery(this.#statements.query('head', head, [size, JSON.stringify(edge)]));
    const insert = (): Compilable =>
      this.#on()
        .insertInto('ledger_nodes')
        .values(nodes.map(() => ({ number: 0, hash: '' })));
    const values = nodes.flatMap((node) => [nodeNumber(node), node.hash]);
    await tx.executeQuery(this.#statements.query(`nodes ${String(nodes.length)}`, insert, values));
  }

  override async edge(): Promise<LedgerEdge> {
    return toEdge(await this.#on().selectFrom('ledger_head').select(['size', 'edge']).executeTakeFirstOrThrow());
  }

  override async nodes(places: readonly NodePlace[]): Promise<readonly PlacedNode[]> {
    if (places.length === 0) return [];
    const rows = await this.#on().selectFrom('ledger_nodes').selectAll().where('number', 'in', places.map(nodeNumber)).execute();
    const hashes = new Map(rows.map(({ number, hash }) => [number, hash]));
    return places.flatMap((place) => {
      const hash = hashes.get(nodeNumber(place));
      return hash === undefined ? [] : [{ ...place, hash }];
    });
  }

  override async keepCheckpoint({ size, note, keyId, at }: StoredCheckpoint): Promise<void> {
    await this.#on()
      .insertInto('ledger_checkpoints')
      .values({ size, note, key_id: keyId, at })
      .onConflict((conflict) => conflict.column('size').doNothing())
      .execute();
  }

  override async lastCheckpoint(): Promise<StoredCheckpoint | undefined> {
    const row = await this.#on().selectFrom('ledger_checkpoints').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst();
    return row && { size: row.size, note: row.note, keyId: row.key_id, at: row.at };
  }

  override async origin(proposed: string): Promise<string> {
    await this.#on().updateTable('ledger_head').set({ origin: proposed }).where('origin', 'is', null).execute();
    const { origin } = await this.#on().selectFrom('ledger_head').select('origin').executeTakeFirstOrThrow();
    return origin ?? proposed;
  }

  #on() {
    return this.db.$extendTables<ReceiptsTables>();
  }
}

function toEdge({ size, edge }: HeadRow): LedgerEdge {
  return { size, edge: JSON.parse(edge) as string[] }; // only `append` writes it
}
