import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#contracts';
import { Database, type Tx } from '#platform';
import { type HeldWebhook, WebhookRepository } from '../ports.js';
import { type NoticesTables, toHeld, toRow } from './tables.js';

@Injectable()
export class KyselyWebhookRepository extends WebhookRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async list(): Promise<readonly HeldWebhook[]> {
    return (await this.#on().selectFrom('webhooks').selectAll().orderBy('id').execute()).map(toHeld);
  }

  override async find(id: WebhookId): Promise<HeldWebhook | undefined> {
    const row = await this.#on().selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toHeld(row);
  }

  override async insert(tx: Tx, held: HeldWebhook): Promise<void> {
    await this.#on(tx).insertInto('webhooks').values(toRow(held)).execute();
  }

  override async update(tx: Tx, held: HeldWebhook, before: number): Promise<boolean> {
    const { id, created_at: _createdAt, ...changed } = toRow(held);
    const query = this.#on(tx).updateTable('webhooks').set(changed).where('id', '=', id).where('changed_at', '=', before);
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async remove(tx: Tx, id: WebhookId): Promise<boolean> {
    await this.#on(tx).deleteFrom('deliveries').where('webhook_id', '=', id).execute();
    return (await this.#on(tx).deleteFrom('webhooks').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n;
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<NoticesTables>();
  }
}
