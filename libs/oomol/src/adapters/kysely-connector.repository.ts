import { Injectable } from '@nestjs/common';
import type { ConnectorId } from '#contracts';
import { Database, type Tx } from '#platform';
import { ConnectorRepository, type HeldConnector } from '../ports.js';
import { type OomolTables, toHeld, toRow } from './tables.js';

@Injectable()
export class KyselyConnectorRepository extends ConnectorRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async list(): Promise<readonly HeldConnector[]> {
    return (await this.#on().selectFrom('connectors').selectAll().orderBy('id').execute()).map(toHeld);
  }

  override async find(id: ConnectorId): Promise<HeldConnector | undefined> {
    const row = await this.#on().selectFrom('connectors').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toHeld(row);
  }

  override async insert(tx: Tx, held: HeldConnector): Promise<boolean> {
    const query = this.#on(tx)
      .insertInto('connectors')
      .values(toRow(held))
      .onConflict((conflict) => conflict.doNothing());
    return (await query.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
  }

  override async update(tx: Tx, held: HeldConnector, before: number): Promise<boolean> {
    const { id, created_at: _createdAt, ...changed } = toRow(held);
    const query = this.#on(tx).updateTable('connectors').set(changed).where('id', '=', id).where('changed_at', '=', before);
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async remove(tx: Tx, id: ConnectorId): Promise<boolean> {
    await this.#on(tx).deleteFrom('connector_defaults').where('connector_id', '=', id).execute();
    return (await this.#on(tx).deleteFrom('connectors').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n;
  }

  override async defaults(id: ConnectorId): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#on().selectFrom('connector_defaults').selectAll().where('connector_id', '=', id).execute();
    return new Map(rows.map(({ service, account_id }) => [service, account_id]));
  }

  override async setDefault(tx: Tx, id: ConnectorId, service: string, accountId: string): Promise<void> {
    await this.#on(tx)
      .insertInto('connector_defaults')
      .values({ connector_id: id, service, account_id: accountId })
      .onConflict((conflict) => conflict.columns(['connector_id', 'service']).doUpdateSet({ account_id: accountId }))
      .execute();
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<OomolTables>();
  }
}
