import { Injectable } from '@nestjs/common';
import type { OutputChunk, ReceiptId, Run, RunId, RunStatus, WorkspaceId } from '#contracts';
import { Database, type Tx } from '#platform';
import type { Overdue } from '#receipts';
import type { EndedBy } from '../core/ended-by.js';
import {
  type Claim,
  type LeasedRun,
  type RunEnd,
  type RunFilter,
  type RunProcess,
  RunRepository,
  type TakenWish,
  type Wish,
} from '../repositories.js';
import type { ExecutionTables } from './execution.tables.js';

type Row = ExecutionTables['runs'];

@Injectable()
export class KyselyRunRepository extends RunRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async find(id: RunId): Promise<Run | undefined> {
    const row = await this.#rows.where('id', '=', id).executeTakeFirst();
    return row && toRun(row);
  }

  override async workspaceOf(id: RunId): Promise<WorkspaceId | undefined> {
    const row = await this.db
      .$extendTables<ExecutionTables>()
      .selectFrom('runs')
      .innerJoin('sessions', 'sessions.id', 'runs.session_id')
      .select('sessions.workspace_id')
      .where('runs.id', '=', id)
      .executeTakeFirst();
    return row?.workspace_id;
  }

  override async page({ seen, isActive, before, limit }: RunFilter): Promise<readonly Run[]> {
    let query = this.#rows.orderBy('id', 'desc').limit(limit);
    if (seen) {
      const { owner, workspaces } = seen;
      const there = this.db.$extendTables<ExecutionTables>().selectFrom('sessions').select('id').where('workspace_id', 'in', workspaces);
      query = query.where((eb) => eb.or([eb('owner', '=', owner), ...(workspaces.length > 0 ? [eb('session_id', 'in', there)] : [])]));
    }
    if (isActive) query = query.where('status', '<>', 'ended');
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.execute()).map(toRun);
  }

  override async deleteOutput(tx: Tx, { before, workspaceId, limit }: Overdue): Promise<number> {
    const tables = tx.$extendTables<ExecutionTables>();
    let query = tables
      .selectFrom('run_output')
      .innerJoin('runs', 'runs.id', 'run_output.run_id')
      .select('run_output.run_id')
      .distinct()
      .where('run_output.run_id', '<', firstIdOf(before))
      .where('runs.ended_at', '<', before)
      .orderBy('run_output.run_id')
      .limit(limit);
    if (workspaceId !== null) {
      const here = tables
        .selectFrom('sessions')
        .select('id')
        .where('workspace_id', '=', workspaceId as WorkspaceId); // as it stands in the rule
      query = query.where('runs.session_id', 'in', here);
    }
    const ids = (await query.execute()).map(({ run_id }) => run_id);
    if (ids.length > 0) await tables.deleteFrom('run_output').where('run_id', 'in', ids).execute();
    return ids.length;
  }

  /** Session first, as wherever sessions and plans change together, so that no two of these transactions wait for each other. */
  override async claim(tx: Tx, leased: LeasedRun): Promise<Claim> {
    const { id, planId, sessionId, startedAt } = leased.run;
    const tables = tx.$extendTables<ExecutionTables>();
    const session = await tables
      .updateTable('sessions')
      .set({ active_run_id: id, last_active_at: startedAt })
      .where('id', '=', sessionId)
      .where('status', '=', 'open')
      .where('active_run_id', 'is', null)
      .executeTakeFirst();
    if (session.numUpdatedRows === 0n) return 'session_taken';
    const plan = await tables
      .updateTable('plans')
      .set({ status: 'running', run_id: id, waiting_key: null })
      .where('id', '=', planId)
      .where('status', '=', 'approved')
      .where('expires_at', '>', startedAt)
      .executeTakeFirst();
    if (plan.numUpdatedRows === 0n) return 'plan_taken';
    await tables.insertInto('runs').values(toRow(leased)).execute();
    return 'claimed';
  }

  override async move(tx: Tx, id: RunId, status: Exclude<RunStatus, 'ended'>): Promise<boolean> {
    return (await unended(tx, id).set({ status }).executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async spawned(tx: Tx, id: RunId, processes: readonly RunProcess[]): Promise<void> {
    await unended(tx, id)
      .set({ processes: JSON.stringify(processes) })
      .execute();
  }

  override async end(tx: Tx, run: Run, { outcome, endedAt, exitCode, signal }: RunEnd): Promise<boolean> {
    const tables = tx.$extendTables<ExecutionTables>();
    await tables
      .updateTable('sessions')
      .set({ active_run_id: null, last_active_at: endedAt })
      .where('id', '=', run.sessionId)
      .where('active_run_id', '=', run.id)
      .execute();
    await tables
      .updateTable('plans')
      .set({ status: outcome })
      .where('id', '=', run.planId)
      .where('status', '=', 'running')
      .where('run_id', '=', run.id)
      .execute();
    const { numUpdatedRows } = await unended(tx, run.id)
      .set({ status: 'ended', outcome, ended_at: endedAt, exit_code: exitCode, signal, wish: null })
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async link(tx: Tx, run: Run, receiptId: ReceiptId): Promise<void> {
    const tables = tx.$extendTables<ExecutionTables>();
    await tables.updateTable('plans').set({ receipt_id: receiptId }).where('id', '=', run.planId).execute();
    await tables.updateTable('runs').set({ receipt_id: receiptId }).where('id', '=', run.id).execute();
  }

  override async leased(): Promise<readonly LeasedRun[]> {
    const rows = await this.#rows.where('status', '<>', 'ended').execute();
    return rows.map((row) => ({
      run: toRun(row),
      leaseOwner: row.lease_owner,
      startedBy: row.started_by,
      processes: JSON.parse(row.processes) as RunProcess[], // only `spawned` writes it
    }));
  }

  override async wish(id: RunId, wish: Wish, reason: EndedBy | null): Promise<boolean> {
    const { numUpdatedRows } = await unended(this.db, id).set({ wish, wish_reason: reason }).executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async takeWishes(leaseOwner: string): Promise<readonly TakenWish[]> {
    const left = () => this.db.$extendTables<ExecutionTables>();
    const rows = await left()
      .selectFrom('runs')
      .select(['id', 'wish', 'wish_reason'])
      .where('status', '<>', 'ended')
      .where('lease_owner', '=', leaseOwner)
      .where('wish', 'is not', null)
      .execute();
    const taken: TakenWish[] = [];
    for (const { id, wish, wish_reason } of rows) {
      if (wish === null) continue;
      await left().updateTable('runs').set({ wish: null }).where('id', '=', id).where('wish', '=', wish).execute();
      taken.push({ runId: id, wish, reason: wish_reason as EndedBy | null }); // only `wish` writes it
    }
    return taken;
  }

  override async appendOutput(tx: Tx, id: RunId, chunks: readonly OutputChunk[]): Promise<void> {
    if (chunks.length === 0) return;
    const rows = chunks.map(({ seq, stream, text, at }) => ({ run_id: id, seq, stream, text: JSON.stringify(text), at }));
    await tx.$extendTables<ExecutionTables>().insertInto('run_output').values(rows).execute();
  }

  override async output(id: RunId, after: number, limit: number): Promise<readonly OutputChunk[]> {
    const rows = await this.db
      .$extendTables<ExecutionTables>()
      .selectFrom('run_output')
      .select(['seq', 'stream', 'text', 'at'])
      .where('run_id', '=', id)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...row, text: JSON.parse(row.text) as string })); // only `appendOutput` writes it
  }

  get #rows() {
    return this.db.$extendTables<ExecutionTables>().selectFrom('runs').selectAll();
  }
}

function unended(db: Tx | Database, id: RunId) {
  return db.$extendTables<ExecutionTables>().updateTable('runs').where('id', '=', id).where('status', '<>', 'ended');
}

function toRow({ run, leaseOwner, startedBy, processes }: LeasedRun): Row {
  return {
    id: run.id,
    plan_id: run.planId,
    session_id: run.sessionId,
    owner: run.owner,
    status: run.status,
    outcome: run.outcome,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    exit_code: run.exitCode,
    signal: run.signal,
    receipt_id: run.receiptId,
    lease_owner: leaseOwner,
    started_by: startedBy,
    processes: JSON.stringify(processes),
    wish: null,
    wish_reason: null,
  };
}

function toRun(row: Row): Run {
  return {
    id: row.id,
    planId: row.plan_id,
    sessionId: row.session_id,
    owner: row.owner,
    status: row.status,
    outcome: row.outcome,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    exitCode: row.exit_code,
    signal: row.signal,
    receiptId: row.receipt_id,
  };
}

/** Ids begin with the time at which they were made, so older ones come before this. */
function firstIdOf(ms: number): RunId {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}` as RunId; // for comparing only
}
