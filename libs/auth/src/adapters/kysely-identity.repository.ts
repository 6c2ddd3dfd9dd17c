import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '#platform';
import { IdentityRepository, type LinkedIdentity, type NewIdentity } from '../ports.js';
import type { AuthTables } from './tables.js';

/** The only writer of who a provider's people are here, on both engines. */
@Injectable()
export class KyselyIdentityRepository extends IdentityRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async find(issuer: string, subject: string): Promise<LinkedIdentity | undefined> {
    const row = await this.#on()
      .selectFrom('person_identities')
      .select(['person_id', 'is_managed'])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row && { personId: row.person_id, isManaged: row.is_managed === 1 };
  }

  override async insert(tx: Tx, { issuer, subject, personId, isManaged, createdAt }: NewIdentity): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('person_identities')
      .values({ issuer, subject, person_id: personId, is_managed: isManaged ? 1 : 0, created_at: createdAt })
      .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
