import { Injectable } from '@nestjs/common';
import type { HostId, HostSettings, WorkspaceId } from '#contracts';
import { Database, type Tx } from '#platform';
import { type HeldHost, HostRepository } from '../ports.js';

interface HostRow {
  id: HostId;
  name: string;
  settings: string;
  workspaces: string;
  auto_approve: number;
  is_wanted: number;
  sealed_key: string | null;
  sealed_run: string | null;
  created_at: number;
  changed_at: number;
}

// A type, not an interface: $extendTables wants an index signature.
type Tables = { hosts: HostRow };

@Injectable()
export class KyselyHostRepository extends HostRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async list(): Promise<readonly HeldHost[]> {
    return (await this.#on().selectFrom('hosts').selectAll().orderBy('id').execute()).map(toHeld);
  }

  override async find(id: HostId): Promise<HeldHost | undefined> {
    const row = await this.#on().selectFrom('hosts').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toHeld(row);
  }

  override async insert(tx: Tx, held: HeldHost): Promise<void> {
    await this.#on(tx)
      .insertInto('hosts')
      .values({ ...toRow(held), sealed_run: null })
      .execute();
  }

  override async update(tx: Tx, held: HeldHost, before: number): Promise<boolean> {
    const { id, created_at: _createdAt, ...changed } = toRow(held);
    const query = this.#on(tx).updateTable('hosts').set(changed).where('id', '=', id).where('changed_at', '=', before);
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  override async remove(tx: Tx, id: HostId): Promise<boolean> {
    return (await this.#on(tx).deleteFrom('hosts').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n;
  }

  override async setRun(id: HostId, sealedRun: string | null): Promise<void> {
    await this.#on().updateTable('hosts').set({ sealed_run: sealedRun }).where('id', '=', id).execute();
  }

  #on(db: Database | Tx = this.db) {
    return db.$extendTables<Tables>();
  }
}

/** Without the run: only `setRun` writes it. */
function toRow({ host, sealedKey }: HeldHost): Omit<HostRow, 'sealed_run'> {
  return {
    ...{ id: host.id, name: host.name, settings: JSON.stringify(host.settings), workspaces: JSON.stringify(host.workspaces) },
    ...{ auto_approve: Number(host.autoApproveEscalations), is_wanted: Number(host.isWanted), sealed_key: sealedKey },
    ...{ created_at: host.createdAt, changed_at: host.changedAt },
  };
}

function toHeld(row: HostRow): HeldHost {
  const host = {
    ...{ id: row.id, name: row.name, hasKey: row.sealed_key !== null, autoApproveEscalations: row.auto_approve === 1 },
    settings: JSON.parse(row.settings) as HostSettings, // only `insert` and `update` write them
    workspaces: JSON.parse(row.workspaces) as readonly WorkspaceId[],
    ...{ isWanted: row.is_wanted === 1, createdAt: row.created_at, changedAt: row.changed_at },
  };
  return { host, sealedKey: row.sealed_key, sealedRun: row.sealed_run };
}
