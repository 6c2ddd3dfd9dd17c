import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder } from 'kysely';
import type { PrincipalId, RunId, Session, SessionId, SessionStatus } from '#contracts';
import { Database, type Tx } from '#platform';
import { OPEN_STATUSES } from '../core/plan-status.js';
import { type SessionFilter, SessionRepository } from '../repositories.js';
import type { ExecutionTables } from './execution.tables.js';

type Row = ExecutionTables['sessions'];

@Injectable()
export class KyselySessionRepository extends SessionRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async find(id: SessionId): Promise<Session | undefined> {
    const row = await this.#tables.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toSession(row);
  }

  override async list({ seen, owner, status, workspaceId }: SessionFilter): Promise<readonly Session[]> {
    const rows = await this.#tables
      .selectFrom('sessions')
      .selectAll()
      .$if(seen !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb('owner', '=', seen?.owner ?? ('' as PrincipalId)),
            ...(seen && seen.workspaces.length > 0 ? [eb('workspace_id', 'in', seen.workspaces)] : []),
          ]),
        ),
      )
      .$if(owner !== undefined, (query) => query.where('owner', '=', owner as PrincipalId)) // narrowed by the condition beside it
      .$if(status !== undefined, (query) => query.where('status', '=', status as SessionStatus))
      .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId as Row['workspace_id']))
      .orderBy('last_active_at', 'desc')
      .orderBy('id', 'desc')
      .limit(500)
      .execute();
    return rows.map(toSession);
  }

  override async openOf(tx: Tx, owner: PrincipalId, now: number): Promise<readonly Session[]> {
    const tables = tx.$extendTables<ExecutionTables>();
    await tables
      .insertInto('session_owners')
      .values({ owner, last_opened_at: now })
      .onConflict((conflict) => conflict.column('owner').doUpdateSet({ last_opened_at: now }))
      .execute();
    const rows = await tables
      .selectFrom('sessions')
      .selectAll()
      .where('owner', '=', owner)
      .where('status', '=', 'open')
      .orderBy('last_active_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toSession);
  }

  override async insert(tx: Tx, session: Session): Promise<void> {
    await tx
      .$extendTables<ExecutionTables>()
      .insertInto('sessions')
      .values({
        id: session.id,
        owner: session.owner,
        owner_name: session.ownerName,
        workspace_id: session.workspaceId,
        status: session.status,
        created_at: session.createdAt,
        last_active_at: session.lastActiveAt,
        closed_at: session.closedAt,
        active_run_id: null,
      })
      .execute();
  }

  override touch(tx: Tx, id: SessionId, now: number): Promise<boolean> {
    return changed(openRow(tx, id).set({ last_active_at: now }));
  }

  override close(tx: Tx, id: SessionId, status: Exclude<SessionStatus, 'open'>, now: number): Promise<boolean> {
    return changed(openRow(tx, id).set({ status, closed_at: now }));
  }

  override expire(tx: Tx, id: SessionId, before: number, now: number): Promise<boolean> {
    return changed(
      openRow(tx, id)
        .set({ status: 'expired', closed_at: now })
        .where('last_active_at', '<=', before)
        .where('active_run_id', 'is', null)
        .where(withoutOpenPlan),
    );
  }

  override async idle(before: number, limit: number): Promise<readonly SessionId[]> {
    const rows = await this.#tables
      .selectFrom('sessions')
      .select('id')
      .where('status', '=', 'open')
      .where('last_active_at', '<=', before)
      .where('active_run_id', 'is', null)
      .where(withoutOpenPlan)
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  override async activeRun(id: SessionId): Promise<RunId | undefined> {
    const row = await this.#tables.selectFrom('sessions').select('active_run_id').where('id', '=', id).executeTakeFirst();
    return row?.active_run_id ?? undefined;
  }

  get #tables() {
    return this.db.$extendTables<ExecutionTables>();
  }
}

function openRow(tx: Tx, id: SessionId) {
  return tx.$extendTables<ExecutionTables>().updateTable('sessions').where('id', '=', id).where('status', '=', 'open');
}

/** Plans that wait for a person, or to be run, keep their session alive. */
function withoutOpenPlan(eb: ExpressionBuilder<ExecutionTables, 'sessions'>) {
  const open = eb
    .selectFrom('plans')
    .select('plans.id')
    .whereRef('plans.session_id', '=', 'sessions.id')
    .where('plans.status', 'in', OPEN_STATUSES);
  return eb.not(eb.exists(open));
}

async function changed(update: { executeTakeFirst(): Promise<{ readonly numUpdatedRows: bigint } | undefined> }): Promise<boolean> {
  return (await update.executeTakeFirst())?.numUpdatedRows === 1n;
}

function toSession(row: Row): Session {
  return {
    id: row.id,
    owner: row.owner,
    ownerName: row.owner_name,
    workspaceId: row.workspace_id,
    status: row.status,
    createdAt: row.created_at,
    lastActiveAt: row.last_active_at,
    closedAt: row.closed_at,
  };
}
