import { Injectable } from '@nestjs/common';
import { Database } from '#platform';
import { type LeaseOwner, LeaseRepository } from '../repositories.js';
import type { ExecutionTables } from './execution.tables.js';

@Injectable()
export class KyselyLeaseRepository extends LeaseRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async beat({ id, place, pid, processStart, heartbeatAt }: LeaseOwner): Promise<void> {
    await this.#tables
      .insertInto('lease_owners')
      .values({ id, place, pid, process_start: processStart, heartbeat_at: heartbeatAt })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat_at: heartbeatAt }))
      .execute();
  }

  override async list(): Promise<readonly LeaseOwner[]> {
    const rows = await this.#tables.selectFrom('lease_owners').selectAll().execute();
    return rows.map(({ id, place, pid, process_start, heartbeat_at }) => ({
      id,
      place,
      pid,
      processStart: process_start,
      heartbeatAt: heartbeat_at,
    }));
  }

  override async remove(id: string, heartbeatAt: number | undefined): Promise<void> {
    let query = this.#tables.deleteFrom('lease_owners').where('id', '=', id);
    if (heartbeatAt !== undefined) query = query.where('heartbeat_at', '=', heartbeatAt);
    await query.execute();
  }

  get #tables() {
    return this.db.$extendTables<ExecutionTables>();
  }
}
