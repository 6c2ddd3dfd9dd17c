import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '#platform';
import { WelcomeLinkRepository } from '../ports.js';
import type { AuthTables } from './tables.js';

/** There is one row: what starts last owns it, so no two links are ever alive. */
const SLOT = 1;

/** The only writer of the welcome link, on both engines. */
@Injectable()
export class KyselyWelcomeLinkRepository extends WelcomeLinkRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async replace(hash: string, expiresAt: number): Promise<void> {
    const link = { hash, expires_at: expiresAt, used_at: null };
    await this.#on()
      .insertInto('welcome_links')
      .values({ slot: SLOT, ...link })
      .onConflict((conflict) => conflict.column('slot').doUpdateSet(link))
      .execute();
  }

  override async isAlive(hash: string, now: number): Promise<boolean> {
    const row = await this.#on()
      .selectFrom('welcome_links')
      .select('slot')
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return row !== undefined;
  }

  override async use(tx: Tx, hash: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('welcome_links')
      .set({ used_at: now })
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
