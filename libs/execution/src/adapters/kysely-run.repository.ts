import { Injectable } from '@nestjs/common';
import type { OutputChunk, ReceiptId, Run, RunId, RunStatus } from '#contracts';
import { Database, type Tx } from '#platform';
import type { EndedBy } from '../core/ended-by.js';
import { type LeasedRun, type RunEnd, type RunFilter, RunRepository, type TakenWish, type Wish } from '../repositories.js';
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

  override async page({ owner, isActive, before, limit }: RunFilter): Promise<readonly Run[]> {
    let query = this.#rows.orderBy('id', 'desc').limit(limit);
    if (owner !== undefined) query = query.where('owner', '=', owner);
    if (isActive) query = query.where('status', '<>', 'ended');
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.execute()).map(toRun);
  }

  override async insert(tx: Tx, { run, leaseOwner, startedBy, pid, processStart }: LeasedRun): Promise<void> {
    await tx
      .$extendTables<ExecutionTables>()
      .insertInto('runs')
      .values({
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
        pid,
        process_start: processStart,
        wish: null,
        wish_reason: null,
      })
      .execute();
  }

  override async move(tx: Tx, id: RunId, status: Exclude<RunStatus, 'ended'>): Promise<boolean> {
    return (await unended(tx, id).set({ status }).executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async spawned(tx: Tx, id: RunId, pid: number, processStart: string | null): Promise<void> {
    await unended(tx, id).set({ pid, process_start: processStart }).execute();
  }

  override async end(tx: Tx, id: RunId, { outcome, endedAt, exitCode, signal }: RunEnd): Promise<boolean> {
    const { numUpdatedRows } = await unended(tx, id)
      .set({ status: 'ended', outcome, ended_at: endedAt, exit_code: exitCode, signal, wish: null })
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  override async link(tx: Tx, id: RunId, receiptId: ReceiptId): Promise<void> {
    await tx.$extendTables<ExecutionTables>().updateTable('runs').set({ receipt_id: receiptId }).where('id', '=', id).execute();
  }

  override async leased(): Promise<readonly LeasedRun[]> {
    const rows = await this.#rows.where('status', '<>', 'ended').execute();
    return rows.map((row) => ({
      run: toRun(row),
      leaseOwner: row.lease_owner,
      startedBy: row.started_by,
      pid: row.pid,
      processStart: row.process_start,
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
    const rows = chunks.map(({ seq, stream, text, at }) => ({ run_id: id, seq, stream, text, at }));
    await tx.$extendTables<ExecutionTables>().insertInto('run_output').values(rows).execute();
  }

  override output(id: RunId, after: number, limit: number): Promise<readonly OutputChunk[]> {
    return this.db
      .$extendTables<ExecutionTables>()
      .selectFrom('run_output')
      .select(['seq', 'stream', 'text', 'at'])
      .where('run_id', '=', id)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
      .execute();
  }

  get #rows() {
    return this.db.$extendTables<ExecutionTables>().selectFrom('runs').selectAll();
  }
}

function unended(db: Tx | Database, id: RunId) {
  return db.$extendTables<ExecutionTables>().updateTable('runs').where('id', '=', id).where('status', '<>', 'ended');
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
