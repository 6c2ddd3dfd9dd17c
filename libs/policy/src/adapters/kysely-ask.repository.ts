import { Injectable } from '@nestjs/common';
import { sql, type ExpressionBuilder } from 'kysely';
import {
  RISKS,
  type Ask,
  type AskId,
  type AskKind,
  type AskStatus,
  type PlanId,
  type PrincipalId,
  type Vote,
  type WorkspaceId,
} from '#contracts';
import { Database, type Tx } from '#platform';
import type { Overdue } from '#receipts';
import type { SeenAsks } from '../asks-rules.js';
import { AskRepository, type AskFilter, type ClosedBefore, type Closing, type NewVote, type StoredAsk } from '../asks.ports.js';

/** `body` and the votes never change after their insert; the status and what belongs to it move together. */
// A type, not an interface: $extendTables wants an index signature.
type AskTables = {
  asks: {
    id: AskId;
    kind: AskKind;
    status: AskStatus;
    plan_id: PlanId | null;
    requester: string;
    workspace_id: WorkspaceId | null;
    risk_rank: number;
    expires_at: number;
    resolved_at: number | null;
    closed_by: string | null;
    body: string;
    questions: string | null;
    answers: string | null;
  };
  votes: { id: string; ask_id: AskId; voter: string; at: number; body: string };
};

type Row = Pick<AskTables['asks'], 'id' | 'status' | 'resolved_at' | 'body'>;
type AskBody = Omit<Ask, 'status' | 'resolvedAt' | 'votes'>;

/** The only writer of asks and votes, on both engines. */
@Injectable()
export class KyselyAskRepository extends AskRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, { ask, questions }: StoredAsk): Promise<void> {
    const { status, resolvedAt, votes: _, ...body } = ask;
    await this.#on(tx)
      .insertInto('asks')
      .values({
        id: ask.id,
        kind: ask.kind,
        status,
        plan_id: ask.planId,
        requester: ask.requester,
        workspace_id: ask.workspaceId,
        risk_rank: RISKS.indexOf(ask.risk),
        expires_at: ask.expiresAt,
        resolved_at: resolvedAt,
        body: JSON.stringify(body),
        questions,
      })
      .execute();
  }

  override async find(id: AskId, tx?: Tx): Promise<Ask | undefined> {
    const row = await this.#rows(tx).where('id', '=', id).executeTakeFirst();
    return row && (await this.#withVotes([row], tx))[0];
  }

  override async countWaiting(tx: Tx, requester: PrincipalId, now: number): Promise<number> {
    const { count } = await this.#on(tx)
      .selectFrom('asks')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('status', '=', 'open')
      .where('expires_at', '>', now)
      .where('requester', '=', requester)
      .where('kind', '=', 'plan_approval')
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** An update that changes nothing takes the row's lock; SQLite's transactions hold the whole file already. */
  override async lock(tx: Tx, id: AskId): Promise<Ask | undefined> {
    await this.#on(tx)
      .updateTable('asks')
      .set({ status: sql`status` })
      .where('id', '=', id)
      .execute();
    return this.find(id, tx);
  }

  override async addVote(tx: Tx, { vote, voter }: NewVote): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('votes')
      .values({ id: vote.id, ask_id: vote.askId, voter, at: vote.at, body: JSON.stringify(vote) })
      .onConflict((conflict) => conflict.columns(['ask_id', 'voter']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  override async close(tx: Tx, id: AskId, { status, at, byName }: Closing): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('asks')
      .set({ status, resolved_at: at, closed_by: byName })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async closedBy(id: AskId, tx: Tx): Promise<string | null> {
    const row = await this.#on(tx).selectFrom('asks').select('closed_by').where('id', '=', id).executeTakeFirst();
    return row?.closed_by ?? null;
  }

  override async open({ seen, kind, limit }: AskFilter, now: number): Promise<readonly Ask[]> {
    const rows = await this.#rows()
      .where('status', '=', 'open')
      .where('expires_at', '>', now)
      .$if(seen !== undefined, (query) => query.where((eb) => eb.or(ofSeen(eb, seen))))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'plan_approval'))
      .orderBy('risk_rank', 'desc')
      .orderBy('expires_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return this.#withVotes(rows);
  }

  /** An ask that is over but not yet written down stands where its end will stand. */
  override async closed({ seen, kind, limit }: AskFilter, before: ClosedBefore | undefined, now: number): Promise<readonly Ask[]> {
    const endedAt = sql<number>`coalesce(resolved_at, expires_at)`;
    const rows = await this.#rows()
      .where((eb) => eb.or([eb('status', '!=', 'open'), eb('expires_at', '<=', now)]))
      .$if(seen !== undefined, (query) => query.where((eb) => eb.or(ofSeen(eb, seen))))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'plan_approval'))
      .$if(before !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb(endedAt, '<', before?.at ?? 0),
            eb.and([eb(endedAt, '=', before?.at ?? 0), eb('id', '<', (before?.id ?? '') as AskId)]),
          ]),
        ),
      )
      .orderBy(endedAt, 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return this.#withVotes(rows);
  }

  override async overdue(now: number, limit: number): Promise<readonly AskId[]> {
    const rows = await this.#on()
      .selectFrom('asks')
      .select('id')
      .where('status', '=', 'open')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  override async votesOfPlan(planId: PlanId, tx?: Tx): Promise<readonly Vote[]> {
    const rows = await this.#on(tx)
      .selectFrom('votes')
      .innerJoin('asks', 'asks.id', 'votes.ask_id')
      .select('votes.body')
      .where('asks.plan_id', '=', planId)
      .orderBy('votes.at')
      .orderBy('votes.id')
      .execute();
    return rows.map(toVote);
  }

  override async deleteClosed(tx: Tx, { before, workspaceId, limit }: Overdue): Promise<number> {
    let query = this.#on(tx).selectFrom('asks').select('id').where('resolved_at', '<', before).orderBy('resolved_at').limit(limit);
    // The workspace stands in the body only, which `insert` writes in one form.
    if (workspaceId !== null) query = query.where('body', 'like', `%"workspaceId":${JSON.stringify(workspaceId)}%`);
    const ids = (await query.execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await this.#on(tx).deleteFrom('votes').where('ask_id', 'in', ids).execute();
    await this.#on(tx).deleteFrom('asks').where('id', 'in', ids).execute();
    return ids.length;
  }

  #rows(tx?: Tx) {
    return this.#on(tx).selectFrom('asks').select(['id', 'status', 'resolved_at', 'body']);
  }

  async #withVotes(rows: readonly Row[], tx?: Tx): Promise<readonly Ask[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const found = await this.#on(tx).selectFrom('votes').select('body').where('ask_id', 'in', ids).orderBy('at').orderBy('id').execute();
    const votes = Map.groupBy(found.map(toVote), ({ askId }) => askId);
    return rows.map((row) => ({
      ...(JSON.parse(row.body) as AskBody), // only `insert` writes it
      status: row.status,
      resolvedAt: row.resolved_at,
      votes: votes.get(row.id) ?? [],
    }));
  }

  #on(tx?: Tx) {
    return (tx ?? this.db).$extendTables<AskTables>();
  }
}

/** One's own asks, and those of the workspaces that are seen. */
function ofSeen(eb: ExpressionBuilder<AskTables, 'asks'>, seen: SeenAsks | undefined) {
  const { requester = '', workspaces = [] } = seen ?? {};
  return [eb('requester', '=', requester), ...(workspaces.length > 0 ? [eb('workspace_id', 'in', workspaces)] : [])];
}

function toVote({ body }: { readonly body: string }): Vote {
  return JSON.parse(body) as Vote; // only `addVote` writes it
}
