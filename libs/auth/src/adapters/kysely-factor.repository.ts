import { Injectable } from '@nestjs/common';
import type { PrincipalId } from '#contracts';
import { Database, type Tx } from '#platform';
import { FactorRepository, type StoredPasskey, type TotpSecret } from '../ports.js';
import type { AuthTables } from './tables.js';

/** No step of time has this number. */
const NEVER_USED = -1;

/** The only writer of second factors, on both engines. */
@Injectable()
export class KyselyFactorRepository extends FactorRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async totp(personId: PrincipalId, tx?: Tx): Promise<TotpSecret | undefined> {
    const row = await this.#on(tx).selectFrom('totp_secrets').selectAll().where('person_id', '=', personId).executeTakeFirst();
    return row && { sealed: row.sealed, createdAt: row.created_at, confirmedAt: row.confirmed_at, usedStep: row.used_step };
  }

  override async offerTotp(tx: Tx, personId: PrincipalId, sealed: string, at: number): Promise<boolean> {
    const offer = { sealed, created_at: at, confirmed_at: null, used_step: NEVER_USED };
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('totp_secrets')
      .values({ person_id: personId, ...offer })
      .onConflict((conflict) => conflict.column('person_id').doUpdateSet(offer).where('totp_secrets.confirmed_at', 'is', null))
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  override async useTotp(tx: Tx, personId: PrincipalId, step: number, confirmAt: number | null): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('totp_secrets')
      .set({ used_step: step, ...(confirmAt !== null && { confirmed_at: confirmAt }) })
      .where('person_id', '=', personId)
      .where('used_step', '<', step)
      .where('confirmed_at', confirmAt === null ? 'is not' : 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async removeTotp(tx: Tx, personId: PrincipalId): Promise<boolean> {
    const { numDeletedRows } = await this.#on(tx).deleteFrom('totp_secrets').where('person_id', '=', personId).executeTakeFirst();
    return numDeletedRows === 1n;
  }

  override async replaceRecoveryCodes(tx: Tx, personId: PrincipalId, hashes: readonly string[]): Promise<void> {
    await this.#on(tx).deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
    if (hashes.length === 0) return;
    const rows = hashes.map((hash) => ({ hash, person_id: personId }));
    await this.#on(tx).insertInto('recovery_codes').values(rows).execute();
  }

  override async useRecoveryCode(tx: Tx, personId: PrincipalId, hash: string): Promise<boolean> {
    const { numDeletedRows } = await this.#on(tx)
      .deleteFrom('recovery_codes')
      .where('person_id', '=', personId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  override async countRecoveryCodes(personId: PrincipalId): Promise<number> {
    return (await this.#on().selectFrom('recovery_codes').select('hash').where('person_id', '=', personId).execute()).length;
  }

  override async passkeys(personId: PrincipalId, tx?: Tx): Promise<readonly StoredPasskey[]> {
    const rows = await this.#on(tx)
      .selectFrom('passkeys')
      .selectAll()
      .where('person_id', '=', personId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      publicKey: row.public_key,
      uses: row.uses,
      transports: JSON.parse(row.transports) as string[],
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }));
  }

  override async addPasskey(tx: Tx, personId: PrincipalId, passkey: StoredPasskey): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('passkeys')
      .values({
        id: passkey.id,
        person_id: personId,
        name: passkey.name,
        public_key: passkey.publicKey,
        uses: passkey.uses,
        transports: JSON.stringify(passkey.transports),
        created_at: passkey.createdAt,
        last_used_at: passkey.lastUsedAt,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  override async usePasskey(tx: Tx, id: string, from: number, to: number, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('passkeys')
      .set({ uses: to, last_used_at: at })
      .where('id', '=', id)
      .where('uses', '=', from)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async removePasskey(tx: Tx, personId: PrincipalId, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#on(tx)
      .deleteFrom('passkeys')
      .where('person_id', '=', personId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  override async removeAll(tx: Tx, personId: PrincipalId): Promise<void> {
    for (const table of ['totp_secrets', 'recovery_codes', 'passkeys'] as const) {
      await this.#on(tx).deleteFrom(table).where('person_id', '=', personId).execute();
    }
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
