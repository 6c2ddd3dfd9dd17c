import { Injectable } from '@nestjs/common';
import type { Delivery, DeliveryId } from '#contracts';
import { Database, type Tx } from '#platform';
import { type Attempt, type DeliveryFilter, DeliveryRepository, type DueDelivery, type NewDelivery } from '../ports.js';
import { type NoticesTables, toDelivery, toNotice } from './tables.js';

@Injectable()
export class KyselyDeliveryRepository extends DeliveryRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async insert(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map(({ id, webhookId, notice, createdAt, nextAt }) => ({
      id,
      webhook_id: webhookId,
      notice: JSON.stringify(notice),
      status: 'waiting' as const,
      attempts: 0,
      next_at: nextAt,
      leased_until: 0,
      last_status: null,
      last_error: null,
      created_at: createdAt,
      ended_at: null,
    }));
    await this.#on(tx).insertInto('deliveries').values(rows).execute();
  }

  override async claimDue(now: number, leaseUntil: number, limit: number): Promise<readonly DueDelivery[]> {
    const rows = await this.#on()
      .selectFrom('deliveries')
      .selectAll()
      .where('status', '=', 'waiting')
      .where('next_at', '<=', now)
      .where('leased_until', '<=', now)
      .orderBy('next_at')
      .limit(limit)
      .execute();
    const mine: DueDelivery[] = [];
    for (const row of rows) {
      const taken = await this.#on()
        .updateTable('deliveries')
        .set({ leased_until: leaseUntil })
        .where('id', '=', row.id)
        .where('status', '=', 'waiting')
        .where('leased_until', '=', row.leased_until)
        .executeTakeFirst();
      if (taken.numUpdatedRows !== 1n) continue; // another server sends it
      const { id, webhook_id: webhookId, notice, created_at: createdAt, next_at: nextAt, attempts } = row;
      mine.push({ id, webhookId, notice: toNotice(notice), createdAt, nextAt: nextAt ?? now, attempts });
    }
    return mine;
  }

  override async attempted(id: DeliveryId, { status, nextAt, lastStatus, lastError, endedAt }: Attempt): Promise<void> {
    await this.#on()
      .updateTable('deliveries')
      .set((eb) => ({
        status,
        attempts: eb('attempts', '+', 1),
        next_at: nextAt,
        leased_until: 0,
        last_status: lastStatus,
        last_error: lastError,
        ended_at: endedAt,
      }))
      .where('id', '=', id)
      .where('status', '=', 'waiting')
      .execute();
  }

  override async find(id: DeliveryId): Promise<Delivery | undefined> {
    const row = await this.#on().selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toDelivery(row);
  }

  override async page({ webhookId, status, before, limit }: DeliveryFilter): Promise<readonly Delivery[]> {
    let query = this.#on().selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId).orderBy('id', 'desc').limit(limit);
    if (status !== undefined) query = query.where('status', '=', status);
    if (before !== undefined) query = query.where('id', '<', before as DeliveryId);
    return (await query.execute()).map(toDelivery);
  }

  override async revive(id: DeliveryId, now: number): Promise<boolean> {
    const query = this.#on()
      .updateTable('deliveries')
      .set({ status: 'waiting', attempts: 0, next_at: now, leased_until: 0, ended_at: null })
      .where('id', '=', id)
      .where('status', '=', 'dead');
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async trim(endedBefore: number): Promise<void> {
    await this.#on().deleteFrom('deliveries').where('ended_at', '<', endedBefore).execute();
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<NoticesTables>();
  }
}
