import { Injectable } from '@nestjs/common';
import type { PrincipalId } from '#contracts';
import { Database, type Tx } from '#platform';
import { TicketRepository, type TicketKind } from '../ports.js';
import type { AuthTables } from './tables.js';

/** The only writer of tickets, on both engines: a sign-in may begin at one server and end at another. */
@Injectable()
export class KyselyTicketRepository extends TicketRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(hash: string, kind: TicketKind, personId: PrincipalId, tries: number, expiresAt: number): Promise<void> {
    await this.#on()
      .insertInto('proof_tickets')
      .values({ hash, kind, person_id: personId, tries_left: tries, expires_at: expiresAt })
      .execute();
  }

  override async take(hash: string, kind: TicketKind, now: number): Promise<PrincipalId | undefined> {
    const row = await this.#on()
      .updateTable('proof_tickets')
      .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
      .where('hash', '=', hash)
      .where('kind', '=', kind)
      .where('tries_left', '>', 0)
      .where('expires_at', '>', now)
      .returning('person_id')
      .executeTakeFirst();
    return row?.person_id;
  }

  override async look(hash: string, kind: TicketKind, now: number): Promise<PrincipalId | undefined> {
    const row = await this.#on()
      .selectFrom('proof_tickets')
      .select('person_id')
      .where('hash', '=', hash)
      .where('kind', '=', kind)
      .where('tries_left', '>', 0)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return row?.person_id;
  }

  override async remove(hash: string): Promise<void> {
    await this.#on().deleteFrom('proof_tickets').where('hash', '=', hash).execute();
  }

  override async removeAllOf(tx: Tx, personId: PrincipalId): Promise<void> {
    await this.#on(tx).deleteFrom('proof_tickets').where('person_id', '=', personId).execute();
  }

  override async removeEnded(now: number): Promise<void> {
    await this.#on().deleteFrom('proof_tickets').where('expires_at', '<=', now).execute();
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
