import { Injectable } from '@nestjs/common';
import type { LinkId, PrincipalId } from '#contracts';
import { Database, type Tx } from '#platform';
import { AccountLinkRepository, type OpenLink } from '../ports.js';
import { toLink, type AuthTables } from './tables.js';

/** The only writer of invitations and reset links, on both engines. */
@Injectable()
export class KyselyAccountLinkRepository extends AccountLinkRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, link: OpenLink, hash: string): Promise<void> {
    await this.#on(tx)
      .insertInto('account_links')
      .values({
        id: link.id,
        hash,
        kind: link.kind,
        person_id: link.personId,
        roles: JSON.stringify(link.roles),
        workspace_roles: JSON.stringify(link.workspaceRoles),
        note: link.note,
        created_by: link.createdBy,
        created_by_name: link.createdByName,
        created_at: link.createdAt,
        expires_at: link.expiresAt,
        ended_at: null,
      })
      .execute();
  }

  override async find(hash: string, now: number): Promise<OpenLink | undefined> {
    const row = await this.#open(now).where('hash', '=', hash).executeTakeFirst();
    return row && toLink(row);
  }

  override async list(kind: OpenLink['kind'], now: number): Promise<readonly OpenLink[]> {
    return (await this.#open(now).where('kind', '=', kind).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(toLink);
  }

  override async use(tx: Tx, hash: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('account_links')
      .set({ ended_at: now })
      .where('hash', '=', hash)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async end(tx: Tx, id: LinkId, kind: OpenLink['kind'], now: number): Promise<OpenLink | undefined> {
    const row = await this.#on(tx)
      .updateTable('account_links')
      .set({ ended_at: now })
      .where('id', '=', id)
      .where('kind', '=', kind)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .returningAll()
      .executeTakeFirst();
    return row && toLink(row);
  }

  override async endResetsOf(tx: Tx, personId: PrincipalId, now: number): Promise<void> {
    await this.#ending(tx, now).where('person_id', '=', personId).execute();
  }

  override async endMadeBy(tx: Tx, creator: PrincipalId, now: number): Promise<void> {
    await this.#ending(tx, now).where('created_by', '=', creator).execute();
  }

  #open(now: number) {
    return this.#on().selectFrom('account_links').selectAll().where('ended_at', 'is', null).where('expires_at', '>', now);
  }

  #ending(tx: Tx, now: number) {
    return this.#on(tx).updateTable('account_links').set({ ended_at: now }).where('ended_at', 'is', null);
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AuthTables>();
  }
}
