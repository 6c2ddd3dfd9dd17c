import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database, type Tx } from '#platform';
import { KeyRepository, type KeyReplacement, type StoredKey } from '../ports.js';
import type { ReceiptsTables } from './tables.js';

type Row = ReceiptsTables['receipt_keys'];

/** Stands where a secret was; a sealed one is never empty. */
const DESTROYED = '';
const HEAD_COLUMN = { ed25519: 'key_id', hmac: 'hmac_key_id' } as const;

/** The only writer of signing keys. They are sealed before they come here. */
@Injectable()
export class KyselyKeyRepository extends KeyRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insertFirst(key: StoredKey): Promise<void> {
    await this.#on()
      .insertInto('receipt_keys')
      .values(toRow(key, key.use))
      .onConflict((conflict) => conflict.column('active_as').doNothing())
      .execute();
  }

  override async adopt(): Promise<void> {
    const active = (use: StoredKey['use']) => sql<string>`(select id from receipt_keys where active_as = ${use})`;
    const first = sql<string>`(select id from receipt_keys where use = 'ed25519' order by created_at, id limit 1)`;
    const db = this.#on();
    await db
      .updateTable('ledger_head')
      .set({ key_id: active('ed25519'), hmac_key_id: active('hmac') })
      .where('key_id', 'is', null)
      .execute();
    await db
      .updateTable('ledger_head')
      .set({ origin: sql`'countersign/ledger/' || ${first}` })
      .where('origin', 'is', null)
      .execute();
  }

  override async all(tx?: Tx): Promise<readonly StoredKey[]> {
    const rows = await this.#on(tx).selectFrom('receipt_keys').selectAll().orderBy('first_index').orderBy('created_at').execute();
    return rows.map(toStored);
  }

  override async replace(tx: Tx, { from, to, at, index }: KeyReplacement): Promise<void> {
    const db = this.#on(tx);
    // What only signs is not needed any more; what an HMAC key has signed can be checked with that key alone.
    const secret = to.use === 'ed25519' ? { sealed: DESTROYED } : {};
    const { numUpdatedRows } = await db
      .updateTable('receipt_keys')
      .set({ active_as: null, retired_at: at, last_index: index, ...secret })
      .where('id', '=', from)
      .where('active_as', '=', to.use)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new Error(`Key ${from} is not the active one`);
    await db.insertInto('receipt_keys').values(toRow(to, to.use)).execute();
    await db
      .updateTable('ledger_head')
      .set({ [HEAD_COLUMN[to.use]]: to.id })
      .execute();
  }

  override async revoke(tx: Tx, id: string, at: number, index: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('receipt_keys')
      .set({ revoked_at: at, revoked_index: index })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<ReceiptsTables>();
  }
}

function toRow(key: StoredKey, activeAs: Row['active_as']): Row {
  return {
    id: key.id,
    use: key.use,
    active_as: activeAs,
    public_key: key.publicKey,
    sealed: key.sealed ?? DESTROYED,
    created_at: key.createdAt,
    retired_at: key.retiredAt,
    first_index: key.firstIndex,
    last_index: key.lastIndex,
    revoked_at: key.revokedAt,
    revoked_index: key.revokedIndex,
  };
}

function toStored(row: Row): StoredKey {
  return {
    id: row.id,
    use: row.use,
    publicKey: row.public_key,
    sealed: row.sealed === DESTROYED ? null : row.sealed,
    createdAt: row.created_at,
    retiredAt: row.retired_at,
    firstIndex: row.first_index,
    lastIndex: row.last_index,
    revokedAt: row.revoked_at,
    revokedIndex: row.revoked_index,
  };
}
