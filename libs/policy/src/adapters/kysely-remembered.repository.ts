import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { PrincipalId, RememberedApproval, RememberedId, RememberedState, SessionId } from '#contracts';
import { Database, type Tx } from '#platform';
import { RememberedRepository, type RememberedEnd, type RememberedFilter } from '../remembered.ports.js';

type Moving = 'state' | 'uses' | 'lastUsedAt' | 'endedAt' | 'endedByName';
type Tables = {
  remembered_approvals: {
    id: RememberedId;
    session_id: SessionId;
    owner: PrincipalId;
    family: string;
    state: RememberedState;
    uses: number;
    last_used_at: number | null;
    ended_at: number | null;
    ended_by: string | null;
    body: string;
  };
};

/** The only writer of remembered approvals, on both engines. */
@Injectable()
export class KyselyRememberedRepository extends RememberedRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, approval: RememberedApproval, family: string): Promise<void> {
    const { state, uses, lastUsedAt, endedAt, endedByName, ...body } = approval;
    const { id, sessionId, owner } = approval;
    const moving = { state, uses, last_used_at: lastUsedAt, ended_at: endedAt, ended_by: endedByName };
    await this.#on(tx).insertInto('remembered_approvals').values({ id, session_id: sessionId, owner, family, ...moving, body: JSON.stringify(body) }).execute(); // prettier-ignore
  }

  override async find(id: RememberedId, tx?: Tx): Promise<RememberedApproval | undefined> {
    const row = await this.#on(tx).selectFrom('remembered_approvals').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toApproval(row);
  }

  override async active(sessionId: SessionId, family: string): Promise<readonly RememberedApproval[]> {
    const query = this.#on()
      .selectFrom('remembered_approvals')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('family', '=', family);
    return (await query.where('state', '=', 'active').orderBy('id').execute()).map(toApproval);
  }

  override async page({ owner, state, before, limit }: RememberedFilter): Promise<readonly RememberedApproval[]> {
    let query = this.#on().selectFrom('remembered_approvals').selectAll().orderBy('id', 'desc').limit(limit);
    if (owner !== undefined) query = query.where('owner', '=', owner);
    if (state !== undefined) query = query.where('state', '=', state);
    if (before !== undefined) query = query.where('id', '<', before as RememberedId); // an id that nobody has gives a page all the same
    return (await query.execute()).map(toApproval);
  }

  override use(tx: Tx, id: RememberedId, at: number): Promise<boolean> {
    return this.#move(tx, id, { uses: sql<number>`uses + 1`, last_used_at: at });
  }

  override hold(tx: Tx, id: RememberedId): Promise<boolean> {
    return this.#move(tx, id, { uses: sql<number>`uses` });
  }

  override end(tx: Tx, id: RememberedId, { state, at, byName }: RememberedEnd): Promise<boolean> {
    return this.#move(tx, id, { state, ended_at: at, ended_by: byName });
  }

  override async activeIn(tx: Tx, sessionId: SessionId): Promise<readonly RememberedId[]> {
    const query = this.#on(tx).selectFrom('remembered_approvals').select('id').where('session_id', '=', sessionId);
    return (await query.where('state', '=', 'active').execute()).map(({ id }) => id);
  }

  async #move(tx: Tx, id: RememberedId, change: object): Promise<boolean> {
    const query = this.#on(tx).updateTable('remembered_approvals').set(change).where('id', '=', id).where('state', '=', 'active');
    const { numUpdatedRows } = await query.executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<Tables>();
  }
}

function toApproval(row: Tables['remembered_approvals']): RememberedApproval {
  const body = JSON.parse(row.body) as Omit<RememberedApproval, Moving>; // only `insert` writes it
  const { state, uses, last_used_at: lastUsedAt, ended_at: endedAt, ended_by: endedByName } = row;
  return { ...body, state, uses, lastUsedAt, endedAt, endedByName };
}
