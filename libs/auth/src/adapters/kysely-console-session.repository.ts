import { Injectable } from '@nestjs/common';
import type { PrincipalId } from '#contracts';
import { Database, type Tx } from '#platform';
import { ConsoleSessionRepository, type ConsoleSession, type PersonOfCredential } from '../ports.js';
import { PERSON_BESIDE, toPersonOfCredential, type AuthTables, type SessionRow } from './tables.js';

/** The only writer of console sessions, on both engines. */
@Injectable()
export class KyselyConsoleSessionRepository extends ConsoleSessionRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(session: ConsoleSession): Promise<void> {
    await this.#on()
      .insertInto('console_sessions')
      .values({
        hash: session.hash,
        id: session.id,
        person_id: session.personId,
        device: session.device,
        address: session.address,
        created_at: session.createdAt,
        seen_at: session.seenAt,
        proved_at: session.provedAt,
        expires_at: session.expiresAt,
      })
      .execute();
  }

  override async find(hash: string): Promise<{ readonly session: ConsoleSession; readonly person: PersonOfCredential } | undefined> {
    const row = await this.#on()
      .selectFrom('console_sessions')
      .innerJoin('people', 'people.id', 'console_sessions.person_id')
      .selectAll('console_sessions')
      .select(PERSON_BESIDE)
      .where('console_sessions.hash', '=', hash)
      .executeTakeFirst();
    return row && { session: toSession(row), person: toPersonOfCredential(row) };
  }

  override async listOf(personId: PrincipalId): Promise<readonly ConsoleSession[]> {
    const rows = await this.#on()
      .selectFrom('console_sessions')
      .selectAll()
      .where('person_id', '=', personId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toSession);
  }

  override async remove(tx: Tx, hash: string): Promise<PrincipalId | undefined> {
    const row = await this.#on(tx).deleteFrom('console_sessions').where('hash', '=', hash).returning('person_id').executeTakeFirst();
    return row?.person_id;
  }

  override async proved(hash: string, at: number): Promise<void> {
    await this.#on().updateTable('console_sessions').set({ proved_at: at }).where('hash', '=', hash).where('proved_at', '<', at).execute();
  }

  override async removeAllOf(personId: PrincipalId, { tx, except }: { readonly tx: Tx; readonly except?: string | null }): Promise<void> {
    await this.#on(tx)
      .deleteFrom('console_sessions')
      .where('person_id', '=', personId)
      .where('hash', '!=', except ?? '')
      .execute();
  }

  override async trim(personId: PrincipalId, keep: number): Promise<void> {
    const rows = await this.#on()
      .selectFrom('console_sessions')
      .select('hash')
      .where('person_id', '=', personId)
      .orderBy('created_at', 'desc')
      .execute();
    const old = rows.slice(keep).map(({ hash }) => hash);
    if (old.length > 0) await this.#on().deleteFrom('console_sessions').where('hash', 'in', old).execute();
  }

  override async removeEnded(now: number, idleSince: number): Promise<void> {
    await this.#on()
      .deleteFrom('console_sessions')
      .where((eb) => eb.or([eb('expires_at', '<=', now), eb('seen_at', '<=', idleSince)]))
      .execute();
  }

  override async sawUse(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    await this.db.transaction().execute(async (tx) => {
      for (const [hash, at] of uses) {
        await this.#on(tx)
          .updateTable('console_sessions')
          .set({ seen_at: at })
          .where('hash', '=', hash)
          .where('seen_at', '<', at)
          .execute();
      }
    });
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}

function toSession(row: SessionRow): ConsoleSession {
  return {
    hash: row.hash,
    id: row.id,
    personId: row.person_id,
    device: row.device,
    address: row.address,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    provedAt: row.proved_at,
    expiresAt: row.expires_at,
  };
}
