import { Injectable } from '@nestjs/common';
import type { PrincipalId, TokenInfo } from '#contracts';
import { Database, type Tx } from '#platform';
import { OauthRepository, type HeldToken, type KeptArtifact, type OauthArtifact, type WantedGrant } from '../ports.js';
import { PERSON_BESIDE, toHeldToken, toToken, type AuthTables } from './tables.js';

/** The only reader and writer of the authorization server's tables, on both engines. */
@Injectable()
export class KyselyOauthRepository extends OauthRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async put({ kind, key, grantKey, uidKey, sealed, expiresAt }: OauthArtifact, at: number): Promise<void> {
    const kept = { grant_key: grantKey, uid_key: uidKey, sealed, expires_at: expiresAt };
    await this.#on()
      .insertInto('oauth_artifacts')
      .values({ kind, key, ...kept, created_at: at, consumed_at: null })
      .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet(kept))
      .execute();
  }

  override find(kind: string, key: string, now: number): Promise<KeptArtifact | undefined> {
    return this.#read(kind, 'key', key, now);
  }

  override findByUid(kind: string, uidKey: string, now: number): Promise<KeptArtifact | undefined> {
    return this.#read(kind, 'uid_key', uidKey, now);
  }

  override async consume(kind: string, key: string, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on()
      .updateTable('oauth_artifacts')
      .set({ consumed_at: at })
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('consumed_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async remove(kind: string, key: string): Promise<void> {
    await this.#on().deleteFrom('oauth_artifacts').where('kind', '=', kind).where('key', '=', key).execute();
  }

  override async holderOf(grantKey: string): Promise<HeldToken | undefined> {
    const row = await this.#on()
      .selectFrom('oauth_grants')
      .innerJoin('tokens', 'tokens.id', 'oauth_grants.token_id')
      .leftJoin('people', 'people.id', 'tokens.person_id')
      .selectAll('tokens')
      .select(PERSON_BESIDE)
      .where('oauth_grants.key', '=', grantKey)
      .executeTakeFirst();
    return row && toHeldToken(row);
  }

  override async link(tx: Tx, grantKey: string, tokenId: PrincipalId, at: number): Promise<void> {
    await this.#on(tx).insertInto('oauth_grants').values({ key: grantKey, token_id: tokenId, created_at: at }).execute();
  }

  override async findGiven(
    tx: Tx,
    { clientId, personId, resource }: { readonly clientId: string; readonly personId: PrincipalId; readonly resource: string },
  ): Promise<TokenInfo | undefined> {
    const row = await this.#on(tx)
      .selectFrom('tokens')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('person_id', '=', personId)
      .where('resource', '=', resource)
      .where('revoked_at', 'is', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    return row && toToken(row);
  }

  override async change(tx: Tx, id: PrincipalId, { name, host, scopes, workspaces }: WantedGrant): Promise<void> {
    await this.#on(tx)
      .updateTable('tokens')
      .set({ name, client_host: host, scopes: JSON.stringify(scopes), workspaces: workspaces && JSON.stringify(workspaces) })
      .where('id', '=', id)
      .execute();
  }

  override async removeGrant(tx: Tx, grantKey: string): Promise<void> {
    await this.#on(tx).deleteFrom('oauth_artifacts').where('grant_key', '=', grantKey).execute();
    await this.#on(tx).deleteFrom('oauth_grants').where('key', '=', grantKey).execute();
  }

  override async countClients(): Promise<number> {
    const { count } = await this.#on()
      .selectFrom('oauth_artifacts')
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .where('kind', '=', 'Client')
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  override async removeEnded(now: number, unusedSince: number): Promise<void> {
    await this.#on().deleteFrom('oauth_artifacts').where('expires_at', '<=', now).execute();
    await this.#on()
      .deleteFrom('oauth_artifacts')
      .where('kind', '=', 'Client')
      .where('created_at', '<', unusedSince)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('tokens')
              .select('tokens.id')
              .whereRef('tokens.client_id', '=', 'oauth_artifacts.key')
              .where('tokens.revoked_at', 'is', null),
          ),
        ),
      )
      .execute();
  }

  override async keep(name: string, make: () => Promise<string>): Promise<string> {
    const read = () => this.db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
    const kept = await read();
    if (kept) return kept.value;
    await this.db
      .insertInto('settings')
      .values({ name, value: await make() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await read())?.value ?? '';
  }

  async #read(kind: string, column: 'key' | 'uid_key', value: string, now: number): Promise<KeptArtifact | undefined> {
    const row = await this.#on()
      .selectFrom('oauth_artifacts')
      .select(['sealed', 'grant_key', 'consumed_at', 'expires_at'])
      .where('kind', '=', kind)
      .where(column, '=', value)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .executeTakeFirst();
    return row && { sealed: row.sealed, grantKey: row.grant_key, consumedAt: row.consumed_at, expiresAt: row.expires_at };
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
