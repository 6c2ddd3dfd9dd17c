import { Injectable } from '@nestjs/common';
import { Database } from '#platform';
import { KeyRepository, type StoredKey } from '../ports.js';
import type { ReceiptsTables } from './tables.js';

/** The only writer of signing keys. They are sealed before they come here. */
@Injectable()
export class KyselyKeyRepository extends KeyRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insertFirst({ id, use, publicKey, sealed, createdAt, retiredAt }: StoredKey): Promise<void> {
    await this.#on()
      .insertInto('receipt_keys')
      .values({ id, use, active_as: use, public_key: publicKey, sealed, created_at: createdAt, retired_at: retiredAt })
      .onConflict((conflict) => conflict.column('active_as').doNothing())
      .execute();
  }

  override async all(): Promise<readonly StoredKey[]> {
    const rows = await this.#on().selectFrom('receipt_keys').selectAll().orderBy('created_at').orderBy('id').execute();
    return rows.map(({ id, use, public_key, sealed, created_at, retired_at }) => ({
      id,
      use,
      publicKey: public_key,
      sealed,
      createdAt: created_at,
      retiredAt: retired_at,
    }));
  }

  #on() {
    return this.db.$extendTables<ReceiptsTables>();
  }
}
