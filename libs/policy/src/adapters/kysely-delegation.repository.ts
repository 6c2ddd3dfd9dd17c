import { Injectable } from '@nestjs/common';
import type { Delegation, DelegationId, PrincipalId } from '#contracts';
import { Database, type Tx } from '#platform';
import { DelegationRepository, type DelegationFilter } from '../delegations.ports.js';

// A type, not an interface: $extendTables wants an index signature.
type DelegationTables = {
  delegations: {
    id: DelegationId;
    giver: PrincipalId;
    receiver: PrincipalId;
    until: number;
    revoked_at: number | null;
    revoked_by: string | null;
    body: string;
  };
};
type Row = DelegationTables['delegations'];

@Injectable()
export class KyselyDelegationRepository extends DelegationRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, delegation: Delegation): Promise<void> {
    const { revokedAt, revokedByName, ...body } = delegation;
    const { id, from: giver, to: receiver, until } = body;
    const row = { id, giver, receiver, until, revoked_at: revokedAt, revoked_by: revokedByName, body: JSON.stringify(body) };
    await this.#on(tx).insertInto('delegations').values(row).execute();
  }

  override async find(id: DelegationId, tx?: Tx): Promise<Delegation | undefined> {
    const row = await this.#on(tx).selectFrom('delegations').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toDelegation(row);
  }

  override async list({ of, activeAt, limit }: DelegationFilter): Promise<readonly Delegation[]> {
    let query = this.#on().selectFrom('delegations').selectAll();
    if (of !== undefined) query = query.where((eb) => eb.or([eb('giver', '=', of), eb('receiver', '=', of)]));
    if (activeAt !== undefined) query = query.where('until', '>', activeAt).where('revoked_at', 'is', null);
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDelegation);
  }

  override async activeTo(to: PrincipalId, now: number): Promise<readonly Delegation[]> {
    const query = this.#on().selectFrom('delegations').selectAll().where('receiver', '=', to);
    return (await query.where('until', '>', now).where('revoked_at', 'is', null).orderBy('id').execute()).map(toDelegation);
  }

  override async countActive(tx: Tx, from: PrincipalId, now: number): Promise<number> {
    const { count } = await this.#on(tx)
      .selectFrom('delegations')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('giver', '=', from)
      .where('until', '>', now)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  override async revoke(tx: Tx, id: DelegationId, at: number, byName: string): Promise<boolean> {
    const query = this.#on(tx).updateTable('delegations').set({ revoked_at: at, revoked_by: byName }).where('id', '=', id);
    return (await query.where('revoked_at', 'is', null).executeTakeFirst()).numUpdatedRows === 1n;
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<DelegationTables>();
  }
}

function toDelegation({ body, revoked_at, revoked_by }: Row): Delegation {
  const fixed = JSON.parse(body) as Omit<Delegation, 'revokedAt' | 'revokedByName'>; // only `insert` writes it
  return { ...fixed, revokedAt: revoked_at, revokedByName: revoked_by };
}
