import { Injectable } from '@nestjs/common';
import { PLAN_STATUSES, type Plan, type PlanId, type PlanStatus, type ReceiptId, type SessionId, type WorkspaceId } from '#contracts';
import { Database, type Tx } from '#platform';
import type { Overdue } from '#receipts';
import { OPEN_STATUSES } from '../core/plan-status.js';
import { type PlanFilter, type PlanMove, PlanRepository } from '../repositories.js';
import type { ExecutionTables } from './execution.tables.js';

type Row = ExecutionTables['plans'];

const GOING_ON: readonly PlanStatus[] = ['planned', 'running', ...OPEN_STATUSES];
const ENDED = PLAN_STATUSES.filter((status) => !GOING_ON.includes(status));

type Moving = 'status' | 'expiresAt' | 'askId' | 'runId' | 'receiptId';

@Injectable()
export class KyselyPlanRepository extends PlanRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async find(id: PlanId, tx?: Tx): Promise<Plan | undefined> {
    const row = await planRows(tx ?? this.db)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toPlan(row);
  }

  override async page({ seen, sessionId, status, before, limit }: PlanFilter): Promise<readonly Plan[]> {
    let query = planRows(this.db).orderBy('id', 'desc').limit(limit);
    if (seen) {
      const { owner, workspaces } = seen;
      const there = this.db.$extendTables<ExecutionTables>().selectFrom('sessions').select('id').where('workspace_id', 'in', workspaces);
      query = query.where((eb) => eb.or([eb('owner', '=', owner), ...(workspaces.length > 0 ? [eb('session_id', 'in', there)] : [])]));
    }
    if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
    if (status !== undefined) query = query.where('status', '=', status);
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.execute()).map(toPlan);
  }

  override async waiting(key: string): Promise<Plan | undefined> {
    const row = await planRows(this.db).where('waiting_key', '=', key).executeTakeFirst();
    return row && toPlan(row);
  }

  override async insert(tx: Tx, plan: Plan, waitingKey: string | null): Promise<boolean> {
    const { status, expiresAt, askId, runId, receiptId, ...body } = plan;
    const { numInsertedOrUpdatedRows } = await tx
      .$extendTables<ExecutionTables>()
      .insertInto('plans')
      .values({
        id: plan.id,
        session_id: plan.sessionId,
        owner: plan.owner,
        status,
        expires_at: expiresAt,
        ask_id: askId,
        run_id: runId,
        receipt_id: receiptId,
        waiting_key: waitingKey,
        body: JSON.stringify(body),
      })
      .onConflict((conflict) => conflict.column('waiting_key').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  override async move(tx: Tx, id: PlanId, { from, to, expiresAt }: PlanMove): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .$extendTables<ExecutionTables>()
      .updateTable('plans')
      .set({
        status: to,
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(to === 'approved' ? {} : { waiting_key: null }), // from now on the same command is a new plan
      })
      .where('id', '=', id)
      .where('status', 'in', from)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async link(
    tx: Tx,
    id: PlanId,
    { askId, receiptId }: { readonly askId?: Plan['askId']; readonly receiptId?: ReceiptId },
  ): Promise<void> {
    await tx
      .$extendTables<ExecutionTables>()
      .updateTable('plans')
      .set({ ...(askId === undefined ? {} : { ask_id: askId }), ...(receiptId === undefined ? {} : { receipt_id: receiptId }) })
      .where('id', '=', id)
      .execute();
  }

  override async deleteEnded(tx: Tx, { before, workspaceId, limit }: Overdue): Promise<number> {
    const tables = tx.$extendTables<ExecutionTables>();
    let query = tables.selectFrom('plans').select('id').where('status', 'in', ENDED).where('expires_at', '<', before).limit(limit);
    if (workspaceId !== null) {
      const here = tables
        .selectFrom('sessions')
        .select('id')
        .where('workspace_id', '=', workspaceId as WorkspaceId); // as it stands in the rule
      query = query.where('session_id', 'in', here);
    }
    const ids = (await query.execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    const runs = (await tables.selectFrom('runs').select('id').where('plan_id', 'in', ids).execute()).map(({ id }) => id);
    if (runs.length > 0) {
      await tables.deleteFrom('run_output').where('run_id', 'in', runs).execute();
      await tables.deleteFrom('runs').where('id', 'in', runs).execute();
    }
    await tables.deleteFrom('plans').where('id', 'in', ids).execute();
    return ids.length;
  }

  override async release(tx: Tx, id: PlanId): Promise<void> {
    await tx.$extendTables<ExecutionTables>().updateTable('plans').set({ waiting_key: null }).where('id', '=', id).execute();
  }

  override async openIn(tx: Tx, sessionId: SessionId): Promise<readonly Plan[]> {
    const rows = await planRows(tx).where('session_id', '=', sessionId).where('status', 'in', OPEN_STATUSES).execute();
    return rows.map(toPlan);
  }

  override async overdue(now: number, limit: number): Promise<readonly Plan[]> {
    const rows = await planRows(this.db).where('status', '=', 'approved').where('expires_at', '<=', now).limit(limit).execute();
    return rows.map(toPlan);
  }
}

function planRows(db: Database | Tx) {
  return db.$extendTables<ExecutionTables>().selectFrom('plans').selectAll();
}

function toPlan(row: Row): Plan {
  const body = JSON.parse(row.body) as Omit<Plan, Moving>; // only `insert` writes it
  return {
    ...body,
    status: row.status,
    expiresAt: row.expires_at,
    askId: row.ask_id,
    runId: row.run_id,
    receiptId: row.receipt_id,
  };
}
