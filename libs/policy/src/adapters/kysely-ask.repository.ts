import { Injectable } from '@nestjs/common';
import { sql, type ExpressionBuilder } from 'kysely';
import {
  RISKS,
  type Ask,
  type AskDelivery,
  type AskId,
  type AskKind,
  type AskQuestion,
  type AskStatus,
  type GivenAnswer,
  type HostId,
  type PlanId,
  type PrincipalId,
  type Vote,
  type VoteId,
  type WorkspaceId,
} from '#contracts';
import { Database, type Tx } from '#platform';
import type { Overdue } from '#receipts';
import type { SeenAsks } from '../asks-rules.js';
import {
  AskRepository,
  type AskFilter,
  type ClosedBefore,
  type Closing,
  type DeliveryStep,
  type Extension,
  type NewVote,
} from '../asks.ports.js';

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
    host_id: HostId | null;
    call_id: string | null;
    delivery: AskDelivery | null;
    delivery_note: string | null;
    ended_why: string | null;
    due_at: number | null;
    /** When the next escalation is due; null: none is left. */
    escalates_at: number | null;
    /** How many escalations have been written down. */
    escalated: number;
    lapsed: string | null;
  };
  votes: { id: string; ask_id: AskId; voter: string; right_of: string | null; at: number; body: string };
};

const COLUMNS = [
  'id',
  'status',
  'expires_at',
  'due_at',
  'resolved_at',
  'body',
  'questions',
  'answers',
  'delivery',
  'delivery_note',
  'ended_why',
  'lapsed',
] as const;
type Row = Pick<AskTables['asks'], (typeof COLUMNS)[number]>;
type Moving =
  'status' | 'expiresAt' | 'dueAt' | 'resolvedAt' | 'votes' | 'lapsed' | 'questions' | 'answers' | 'delivery' | 'deliveryNote' | 'endedWhy';
type AskBody = Omit<Ask, Moving>;

/** The only writer of asks and votes, on both engines. */
@Injectable()
export class KyselyAskRepository extends AskRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, ask: Ask): Promise<boolean> {
    const { status, expiresAt, dueAt, resolvedAt, questions, delivery, deliveryNote, endedWhy, ...rest } = ask;
    const { votes: _, answers: __, lapsed: ___, ...body } = rest;
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('asks')
      .values({
        id: ask.id,
        kind: ask.kind,
        status,
        plan_id: ask.planId,
        requester: ask.requester,
        workspace_id: ask.workspaceId,
        risk_rank: RISKS.indexOf(ask.risk),
        expires_at: expiresAt,
        due_at: dueAt ?? null,
        escalates_at: ask.escalations?.[0]?.at ?? null,
        escalated: 0,
        resolved_at: resolvedAt,
        body: JSON.stringify(body),
        questions: questions === undefined ? null : JSON.stringify(questions),
        host_id: ask.host?.hostId ?? null,
        call_id: ask.host?.callId ?? null,
        delivery: delivery ?? null,
        delivery_note: deliveryNote ?? null,
        ended_why: endedWhy ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  override async openOfCall(tx: Tx, hostId: HostId, callId: string): Promise<Ask | undefined> {
    const of = this.#rows(tx).where('host_id', '=', hostId).where('call_id', '=', callId).where('status', '=', 'open');
    const row = await of.executeTakeFirst();
    return row && (await this.#withVotes([row], tx))[0];
  }

  override async answered(tx: Tx, id: AskId, answers: readonly GivenAnswer[]): Promise<void> {
    await this.#on(tx)
      .updateTable('asks')
      .set({ answers: JSON.stringify(answers) })
      .where('id', '=', id)
      .execute();
  }

  override async delivered(tx: Tx, id: AskId, { to, from, note }: DeliveryStep): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('asks')
      .set({ delivery: to, delivery_note: note })
      .where('id', '=', id)
      .where('delivery', 'in', from)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
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

  override async addVote(tx: Tx, { vote, voter, rightOf }: NewVote): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#on(tx)
      .insertInto('votes')
      .values({ id: vote.id, ask_id: vote.askId, voter, right_of: rightOf, at: vote.at, body: JSON.stringify(vote) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  override async close(tx: Tx, id: AskId, { status, at, byName, why }: Closing): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('asks')
      .set({ status, resolved_at: at, closed_by: byName, ended_why: why ?? null })
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

  override async extend(tx: Tx, id: AskId, { from, expiresAt, dueAt }: Extension): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('asks')
      .set({ expires_at: expiresAt, due_at: dueAt })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .where('expires_at', '=', from)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async escalated(tx: Tx, { id, escalations = [] }: Ask, count: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#on(tx)
      .updateTable('asks')
      .set({ escalated: count, escalates_at: escalations[count]?.at ?? null })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .where('escalated', '<', count)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async recounted(tx: Tx, id: AskId, lapsed: readonly VoteId[]): Promise<void> {
    await this.#on(tx)
      .updateTable('asks')
      .set({ lapsed: lapsed.length === 0 ? null : JSON.stringify(lapsed) })
      .where('id', '=', id)
      .execute();
  }

  override async unescalated(now: number, limit: number): Promise<readonly AskId[]> {
    const rows = await this.#on()
      .selectFrom('asks')
      .select('id')
      .where('status', '=', 'open')
      .where('escalates_at', '<=', now)
      .where('expires_at', '>', now)
      .orderBy('escalates_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
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

  override async votesOfPlan(planId: PlanId, tx?: Tx): ReturnType<AskRepository['votesOfPlan']> {
    const rows = await this.#on(tx)
      .selectFrom('votes')
      .innerJoin('asks', 'asks.id', 'votes.ask_id')
      .select(['votes.body', 'asks.lapsed'])
      .where('asks.plan_id', '=', planId)
      .orderBy('votes.at')
      .orderBy('votes.id')
      .execute();
    return rows.map((row) => ({ vote: toVote(row), lapsed: toLapsed(row) }));
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
    return this.#on(tx).selectFrom('asks').select(COLUMNS);
  }

  async #withVotes(rows: readonly Row[], tx?: Tx): Promise<readonly Ask[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const found = await this.#on(tx).selectFrom('votes').select('body').where('ask_id', 'in', ids).orderBy('at').orderBy('id').execute();
    const votes = Map.groupBy(found.map(toVote), ({ askId }) => askId);
    return rows.map((row) => toAsk(row, votes.get(row.id) ?? []));
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

/** Only this class writes the JSON that is read here. */
function toAsk(row: Row, votes: readonly Vote[]): Ask {
  return {
    ...(JSON.parse(row.body) as AskBody),
    status: row.status,
    expiresAt: row.expires_at,
    resolvedAt: row.resolved_at,
    votes,
    ...(row.due_at !== null && { dueAt: row.due_at }),
    ...(row.lapsed !== null && { lapsed: toLapsed(row) }),
    ...(row.questions !== null && {
      questions: JSON.parse(row.questions) as AskQuestion[],
      answers: row.answers === null ? [] : (JSON.parse(row.answers) as GivenAnswer[]),
    }),
    ...(row.delivery !== null && { delivery: row.delivery, deliveryNote: row.delivery_note }),
    ...(row.ended_why !== null && { endedWhy: row.ended_why }),
  };
}

function toVote({ body }: { readonly body: string }): Vote {
  return JSON.parse(body) as Vote; // only `addVote` writes it
}

function toLapsed({ lapsed }: { readonly lapsed: string | null }): readonly VoteId[] {
  return lapsed === null ? [] : (JSON.parse(lapsed) as VoteId[]); // only `recounted` writes it
}
