import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { PrincipalId, TokenInfo } from '#contracts';
import { Database, type Tx } from '#platform';
import { TokenRepository, type HeldToken, type NewToken, type TokenFilter } from '../ports.js';
import { PERSON_BESIDE, toPersonOfCredential, toToken, type AuthTables } from './tables.js';

const MAX_LISTED = 500;

/** The only writer of tokens, on both engines. */
@Injectable()
export class KyselyTokenRepository extends TokenRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async list({ personId, q }: TokenFilter): Promise<readonly TokenInfo[]> {
    const pattern = `%${(q ?? '').toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await this.#on()
      .selectFrom('tokens')
      .selectAll()
      .$if(personId !== null, (query) => query.where('person_id', '=', personId))
      .$if(q !== undefined, (query) =>
        query.where(sql<boolean>`(lower(name) like ${pattern} escape '\\' or lower(created_by_name) like ${pattern} escape '\\')`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_LISTED)
      .execute();
    return rows.map(toToken);
  }

  override async find(id: PrincipalId): Promise<TokenInfo | undefined> {
    const row = await this.#on().selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toToken(row);
  }

  override async findByHash(hash: string): Promise<HeldToken | undefined> {
    const row = await this.#on()
      .selectFrom('tokens')
      .leftJoin('people', 'people.id', 'tokens.person_id')
      .selectAll('tokens')
      .select(PERSON_BESIDE)
      .where('tokens.hash', '=', hash)
      .executeTakeFirst();
    if (!row) return undefined;
    const { person_id, person_name, person_roles, person_workspace_roles, person_factors, person_disabled_at } = row;
    const person =
      person_id === null || person_name === null || person_roles === null || person_workspace_roles === null || person_factors === null
        ? null
        : toPersonOfCredential({ person_id, person_name, person_roles, person_workspace_roles, person_factors, person_disabled_at });
    return { token: toToken(row), hash: row.hash, person };
  }

  override async insert(tx: Tx, { token, hash, origin }: NewToken): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('tokens')
      .values({
        id: token.id,
        hash,
        name: token.name,
        person_id: token.personId,
        scopes: JSON.stringify(token.scopes),
        workspaces: token.workspaces && JSON.stringify(token.workspaces),
        tool_families: token.toolFamilies && JSON.stringify(token.toolFamilies),
        rate_per_minute: token.ratePerMinute,
        origin,
        created_by_name: token.createdByName,
        created_at: token.createdAt,
        expires_at: token.expiresAt,
        last_used_at: token.lastUsedAt,
        revoked_at: token.revokedAt,
        rotated_to: token.rotatedTo,
      })
      .onConflict((conflict) => conflict.column('origin').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  override async rotate(tx: Tx, id: PrincipalId, to: PrincipalId, expiresAt: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('tokens')
      .set({ rotated_to: to, expires_at: expiresAt })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('rotated_to', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async revoke(tx: Tx, id: PrincipalId, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('tokens')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async revokeAllOf(tx: Tx, personId: PrincipalId, at: number): Promise<readonly PrincipalId[]> {
    const rows = await this.#on(tx)
      .updateTable('tokens')
      .set({ revoked_at: at })
      .where('person_id', '=', personId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  override async adopt(tx: Tx, personId: PrincipalId): Promise<readonly PrincipalId[]> {
    const rows = await this.#on(tx)
      .updateTable('tokens')
      .set({ person_id: personId })
      .where('person_id', 'is', null)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  override async sawUse(uses: ReadonlyMap<PrincipalId, number>): Promise<void> {
    if (uses.size === 0) return;
    await this.db.transaction().execute(async (tx) => {
      for (const [id, at] of uses) {
        await this.#on(tx)
          .updateTable('tokens')
          .set({ last_used_at: at })
          .where('id', '=', id)
          .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
          .execute();
      }
    });
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
