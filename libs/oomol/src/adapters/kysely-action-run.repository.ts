import { Injectable } from '@nestjs/common';
import type { ActionRun, RunId } from '#contracts';
import { Database, type Tx } from '#platform';
import { type ActionRunEnd, type ActionRunFilter, ActionRunRepository } from '../ports.js';
import { type OomolTables, toActionRun, toActionRunRow } from './tables.js';

@Injectable()
export class KyselyActionRunRepository extends ActionRunRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, run: ActionRun): Promise<void> {
    await this.#on(tx).insertInto('action_runs').values(toActionRunRow(run)).execute();
  }

  override async find(id: RunId): Promise<ActionRun | undefined> {
    const row = await this.#on().selectFrom('action_runs').selectAll().where('run_id', '=', id).executeTakeFirst();
    return row && toActionRun(row);
  }

  override async page({ connectorId, status, before, limit }: ActionRunFilter): Promise<readonly ActionRun[]> {
    const rows = await this.#on()
      .selectFrom('action_runs')
      .selectAll()
      .$if(connectorId !== undefined, (query) => query.where('connector_id', '=', connectorId ?? ('' as never)))
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'unknown'))
      .$if(before !== undefined, (query) => query.where('run_id', '<', before ?? ('' as never)))
      .orderBy('run_id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toActionRun);
  }

  override async end(tx: Tx, id: RunId, { status, code, executionId, auditPersisted, endedAt }: ActionRunEnd): Promise<boolean> {
    const audit_persisted = auditPersisted === null ? null : Number(auditPersisted);
    const query = this.#on(tx)
      .updateTable('action_runs')
      .set({ status, code, execution_id: executionId, audit_persisted, ended_at: endedAt })
      .where('run_id', '=', id)
      .where('status', '=', 'sent');
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async note(tx: Tx, id: RunId, findings: ActionRun['findings']): Promise<void> {
    await this.#on(tx)
      .updateTable('action_runs')
      .set({ findings: JSON.stringify(findings) })
      .where('run_id', '=', id)
      .execute();
  }

  override async settle(tx: Tx, id: RunId, resolution: NonNullable<ActionRun['resolution']>): Promise<boolean> {
    const query = this.#on(tx)
      .updateTable('action_runs')
      .set({ resolution: JSON.stringify(resolution) })
      .where('run_id', '=', id)
      .where('status', '=', 'unknown')
      .where('resolution', 'is', null);
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<OomolTables>();
  }
}
