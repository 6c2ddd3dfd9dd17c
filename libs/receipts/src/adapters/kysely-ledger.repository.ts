import { Injectable } from '@nestjs/common';
import { sql, type Compilable } from 'kysely';
import { Database, type Tx } from '#platform';
import { nodeNumber, type NodePlace, type PlacedNode } from '../core/merkle.js';
import { LedgerRepository, type LedgerEdge, type LedgerHead, type StoredCheckpoint } from '../ports.js';
import { Statements } from './statements.js';
import type { ReceiptsTables } from './tables.js';

type HeadRow = Pick<ReceiptsTables['ledger_head'], 'size' | 'edge' | 'key_id' | 'hmac_key_id' | 'at'>;
const HEAD = ['size', 'edge', 'key_id', 'hmac_key_id', 'at'] as const;

/** The only writer of the ledger's tree, on both engines. */
@Injectable()
export class KyselyLedgerRepository extends LedgerRepository {
  readonly #statements = new Statements();

  constructor(private readonly db: Database) {
    super();
  }

  /** An update that changes nothing takes the row's lock; SQLite's transactions hold the whole file already. */
  override async lock(tx: Tx): Promise<LedgerHead> {
    const head = (): Compilable<HeadRow> =>
      this.#on()
        .updateTable('ledger_head')
        .set({ size: sql`size` })
        .returning(HEAD);
    const { rows } = await tx.executeQuery(this.#statements.query('lock', head, []));
    const [row] = rows;
    if (!row) throw new Error('The ledger has no head');
    return toHead(row);
  }

  override async append(tx: Tx, { size, edge, at }: LedgerEdge & { readonly at: number }, nodes: readonly PlacedNode[]): Promise<void> {
    const head = (): Compilable => this.#on().updateTable('ledger_head').set({ size: 0, edge: '', at: 0 });
    await tx.executeQuery(this.#statements.query('head', head, [size, JSON.stringify(edge), at]));
    const insert = (): Compilable =>
      this.#on()
        .insertInto('ledger_nodes')
        .values(nodes.map(() => ({ number: 0, hash: '' })));
    const values = nodes.flatMap((node) => [nodeNumber(node), node.hash]);
    await tx.executeQuery(this.#statements.query(`nodes ${String(nodes.length)}`, insert, values));
  }

  override async head(): Promise<LedgerHead> {
    return toHead(await this.#on().selectFrom('ledger_head').select(HEAD).executeTakeFirstOrThrow());
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

  override async checkpoints(before: number, limit: number): Promise<readonly StoredCheckpoint[]> {
    const rows = await this.#on()
      .selectFrom('ledger_checkpoints')
      .selectAll()
      .where('size', '<', before)
      .orderBy('size', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ size, note, key_id, at }) => ({ size, note, keyId: key_id, at }));
  }

  override async origin(tx?: Tx): Promise<string> {
    const { origin } = await this.#on(tx).selectFrom('ledger_head').select('origin').executeTakeFirstOrThrow();
    if (origin === null) throw new Error('The ledger has no name yet');
    return origin;
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<ReceiptsTables>();
  }
}

function toHead({ size, edge, key_id, hmac_key_id, at }: HeadRow): LedgerHead {
  // Only `append` writes the edge; the keys are there once the first process has started.
  return { size, edge: JSON.parse(edge) as string[], keyId: key_id ?? '', hmacKeyId: hmac_key_id ?? '', at };
}
