import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { ReceiptSummary } from '#contracts';
import { Database, type Tx } from '#platform';
import { KEPT_ACTIONS } from '../core/retention.js';
import { RetentionRepository, type OverdueReceipt, type StoredRule } from '../ports.js';
import type { ReceiptsTables } from './tables.js';
import { TEXT_INDEX } from './text-index.js';

type Row = ReceiptsTables['retention_rules'];

const NO_BODY = { receipt: null, evidence: null, payload: null, signature: null, search: '' } as const;

/** The only one that takes bodies away from receipts. */
@Injectable()
export class KyselyRetentionRepository extends RetentionRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async rules(): Promise<readonly StoredRule[]> {
    return (await this.#on().selectFrom('retention_rules').selectAll().orderBy('created_at').orderBy('id').execute()).map(toRule);
  }

  override async insert(tx: Tx, { id, subject, workspaceId, keepDays, createdAt, by, done }: StoredRule): Promise<void> {
    const row: Row = {
      id,
      subject,
      workspace_id: workspaceId,
      keep_days: keepDays,
      created_at: createdAt,
      made_by: JSON.stringify(by),
      done,
    };
    await this.#on(tx).insertInto('retention_rules').values(row).execute();
  }

  override async remove(tx: Tx, id: string): Promise<StoredRule | undefined> {
    const row = await this.#on(tx).deleteFrom('retention_rules').where('id', '=', id).returningAll().executeTakeFirst();
    return row && toRule(row);
  }

  /** The rule's row is held, so that two processes do not delete the same. */
  override async overdue(tx: Tx, rule: StoredRule, before: number, limit: number): Promise<readonly OverdueReceipt[]> {
    const held = await this.#on(tx)
      .updateTable('retention_rules')
      .set({ done: sql`done` })
      .where('id', '=', rule.id)
      .returning('done')
      .executeTakeFirst();
    if (!held) return []; // removed meanwhile
    let query = this.#on(tx)
      .selectFrom('receipts')
      .select(['place', 'leaf_hash'])
      .where('kind', '=', rule.subject)
      .where('place', '>=', held.done)
      .where('at', '<', before)
      .where('deleted_by', 'is', null)
      .orderBy('place')
      .limit(limit);
    if (rule.workspaceId !== null) query = query.where('workspace_id', '=', rule.workspaceId);
    if (rule.subject === 'admin') query = query.where((eb) => eb.or([eb('tool', 'is', null), eb('tool', 'not in', [...KEPT_ACTIONS])]));
    return (await query.execute()).map(({ place, leaf_hash }) => ({ place, leafHash: leaf_hash }));
  }

  override async deleteBodies(tx: Tx, places: readonly number[], by: number): Promise<void> {
    const rows = await this.#on(tx).selectFrom('receipts').select(['place', 'summary']).where('place', 'in', places).execute();
    await TEXT_INDEX[this.db.engine].remove(tx, places);
    for (const { place, summary } of rows) {
      await this.#on(tx)
        .updateTable('receipts')
        .set({ ...NO_BODY, tool: null, deleted_by: by, summary: JSON.stringify(withoutText(JSON.parse(summary) as ReceiptSummary)) })
        .where('place', '=', place)
        .execute();
    }
  }

  override async advance(tx: Tx, id: string, done: number): Promise<void> {
    await this.#on(tx).updateTable('retention_rules').set({ done }).where('id', '=', id).execute();
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<ReceiptsTables>();
  }
}

/** What a list still shows: that there was something, how it ended, and when. */
function withoutText(summary: ReceiptSummary): ReceiptSummary {
  return { ...summary, summary: 'Deleted by a retention rule', command: '', requesterName: '', approverNames: [], workspaceName: '' };
}

function toRule({ id, subject, workspace_id, keep_days, created_at, made_by, done }: Row): StoredRule {
  const by = JSON.parse(made_by) as StoredRule['by']; // only `insert` writes it
  return { id, subject, workspaceId: workspace_id, keepDays: keep_days, createdAt: created_at, by, done };
}
