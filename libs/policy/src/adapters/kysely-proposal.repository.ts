import { Injectable } from '@nestjs/common';
import type { PolicyProposal, PrincipalId, ProposalId, ProposalStatus } from '#contracts';
import { Database, type Tx } from '#platform';
import { ProposalRepository, type ProposalFilter } from '../documents.ports.js';

type Tables = { policy_proposals: { id: ProposalId; proposer: PrincipalId; status: ProposalStatus; body: string } };

/** The only writer of proposals, on both engines. The body is written at the insert and at the one closing. */
@Injectable()
export class KyselyProposalRepository extends ProposalRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, proposal: PolicyProposal): Promise<void> {
    const { id, by: proposer, status } = proposal;
    await this.#on(tx)
      .insertInto('policy_proposals')
      .values({ id, proposer, status, body: JSON.stringify(proposal) })
      .execute();
  }

  override async find(id: ProposalId, tx?: Tx): Promise<PolicyProposal | undefined> {
    const row = await this.#on(tx).selectFrom('policy_proposals').select('body').where('id', '=', id).executeTakeFirst();
    return row && toProposal(row);
  }

  override async countOpen(tx: Tx, by: PrincipalId): Promise<number> {
    const { count } = await this.#on(tx)
      .selectFrom('policy_proposals')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('proposer', '=', by)
      .where('status', '=', 'open')
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  override async page({ by, status, before, limit }: ProposalFilter): Promise<readonly PolicyProposal[]> {
    let query = this.#on().selectFrom('policy_proposals').select('body').orderBy('id', 'desc').limit(limit);
    if (by !== undefined) query = query.where('proposer', '=', by);
    if (status !== undefined) query = query.where('status', '=', status);
    if (before !== undefined) query = query.where('id', '<', before as ProposalId); // an id that nobody has gives a page all the same
    return (await query.execute()).map(toProposal);
  }

  override async close(tx: Tx, proposal: PolicyProposal): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('policy_proposals')
      .set({ status: proposal.status, body: JSON.stringify(proposal) })
      .where('id', '=', proposal.id)
      .where('status', '=', 'open')
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<Tables>();
  }
}

function toProposal({ body }: { readonly body: string }): PolicyProposal {
  return JSON.parse(body) as PolicyProposal; // only this class writes it
}
