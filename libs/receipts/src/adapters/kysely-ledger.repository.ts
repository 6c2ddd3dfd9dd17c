import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database, type Tx } from '#platform';
import type { NodePlace, PlacedNode } from '../core/merkle.js';
import { LedgerRepository, type LedgerEdge, type StoredCheckpoint } from '../ports.js';
import type { ReceiptsTables } from './tables.js';

/** The only writer of the ledger's tree, on both engines. */
@Injectable()
export class KyselyLedgerRepository extends LedgerRepository {
  constructor(private readonly db: Database) {
    super();
  }

  /** An update that changes nothing takes the row's lock; SQLite's transactions hold the whole file already. */
  override async lock(tx: Tx): Promise<LedgerEdge> {
    const row = await this.#on(tx)
      .updateTable('ledger_head')
      .set({ size: sql`size` })
      .where('slot', '=', 1)
      .returning(['size', 'edge'])
      .executeTakeFirstOrThrow();
    return toEdge(row);
  }

  override async append(tx: Tx, { size, edge }: LedgerEdge, nodes: readonly PlacedNode[]): Promise<void> {
    await this.#on(tx)
      .updateTable('ledger_head')
      .set({ size, edge: JSON.stringify(edge) })
      .where('slot', '=', 1)
      .execute();
    await this.#on(tx)
      .insertInto('ledger_nodes')
      .values(nodes.map(({ level, index, hash }) => ({ level, place: index, hash })))
      .execute();
  }

  override async edge(): Promise<LedgerEdge> {
    return toEdge(await this.#on().selectFrom('ledger_head').select(['size', 'edge']).executeTakeFirstOrThrow());
  }

  override async nodes(places: readonly NodePlace[]): Promise<readonly PlacedNode[]> {
    if (places.length === 0) return [];
    const rows = await this.#on()
      .selectFrom('ledger_nodes')
      .selectAll()
      .where((eb) => eb.or(places.map(({ level, index }) => eb.and([eb('level', '=', level), eb('place', '=', index)]))))
      .execute();
    return rows.map(({ level, place, hash }) => ({ level, index: place, hash }));
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

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<ReceiptsTables>();
  }
}

function toEdge({ size, edge }: { readonly size: number; readonly edge: string }): LedgerEdge {
  return { size, edge: JSON.parse(edge) as string[] }; // only `append` writes it
}
