import { Injectable } from '@nestjs/common';
import type { HostId, PrincipalId, WorkspaceId } from '#contracts';
import { Database, type Tx } from '#platform';
import { RelayRepository, type Drive, type KeptBudget, type Stop } from '../driving.ports.js';

type Tables = {
  relay_drives: {
    host_id: HostId;
    host_session_id: string;
    workspace_id: WorkspaceId;
    principal_id: PrincipalId;
    name: string;
    person_id: PrincipalId | null;
    person_name: string | null;
    at: number;
  };
  relay_stops: { workspace_id: WorkspaceId | ''; by_id: PrincipalId; by_name: string; reason: string; at: number };
  relay_budgets: {
    host_id: HostId;
    host_session_id: string;
    max_tokens: number | null;
    max_minutes: number | null;
    tokens_before: number;
    counted_from: number;
  };
};

@Injectable()
export class KyselyRelayRepository extends RelayRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async drive(hostId: HostId, hostSessionId: string): Promise<Drive | undefined> {
    const row = await this.#tables()
      .selectFrom('relay_drives')
      .selectAll()
      .where('host_id', '=', hostId)
      .where('host_session_id', '=', hostSessionId)
      .executeTakeFirst();
    return (
      row && {
        hostId,
        hostSessionId,
        workspaceId: row.workspace_id,
        principalId: row.principal_id,
        name: row.name,
        personId: row.person_id,
        personName: row.person_name,
        at: row.at,
      }
    );
  }

  override async setDrive(
    tx: Tx,
    { hostId, hostSessionId, workspaceId, principalId, name, personId, personName, at }: Drive,
  ): Promise<void> {
    const kept = { workspace_id: workspaceId, principal_id: principalId, name, person_id: personId, person_name: personName, at };
    await this.#tables(tx)
      .insertInto('relay_drives')
      .values({ host_id: hostId, host_session_id: hostSessionId, ...kept })
      .onConflict((conflict) => conflict.columns(['host_id', 'host_session_id']).doUpdateSet(kept))
      .execute();
  }

  override async stops(): Promise<readonly Stop[]> {
    const rows = await this.#tables().selectFrom('relay_stops').selectAll().orderBy('at').execute();
    return rows.map(({ workspace_id, by_id, by_name, reason, at }) => ({
      workspaceId: workspace_id === '' ? null : workspace_id,
      by: by_id,
      byName: by_name,
      reason,
      at,
    }));
  }

  override async addStop(tx: Tx, { workspaceId, by, byName, reason, at }: Stop): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await this.#tables(tx)
      .insertInto('relay_stops')
      .values({ workspace_id: workspaceId ?? '', by_id: by, by_name: byName, reason, at })
      .onConflict((conflict) => conflict.column('workspace_id').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }

  override async removeStop(tx: Tx, workspaceId: WorkspaceId | null): Promise<boolean> {
    const { numDeletedRows } = await this.#tables(tx)
      .deleteFrom('relay_stops')
      .where('workspace_id', '=', workspaceId ?? '')
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  override async budget(hostId: HostId, hostSessionId: string): Promise<KeptBudget | undefined> {
    const row = await this.#tables()
      .selectFrom('relay_budgets')
      .selectAll()
      .where('host_id', '=', hostId)
      .where('host_session_id', '=', hostSessionId)
      .executeTakeFirst();
    return (
      row && {
        hostId,
        hostSessionId,
        maxTokens: row.max_tokens,
        maxMinutes: row.max_minutes,
        tokensBefore: row.tokens_before,
        countedFrom: row.counted_from,
      }
    );
  }

  override async setBudget(tx: Tx, budget: KeptBudget): Promise<void> {
    const kept = {
      max_tokens: budget.maxTokens,
      max_minutes: budget.maxMinutes,
      tokens_before: budget.tokensBefore,
      counted_from: budget.countedFrom,
    };
    await this.#tables(tx)
      .insertInto('relay_budgets')
      .values({ host_id: budget.hostId, host_session_id: budget.hostSessionId, ...kept })
      .onConflict((conflict) => conflict.columns(['host_id', 'host_session_id']).doUpdateSet(kept))
      .execute();
  }

  #tables(tx?: Tx) {
    return (tx ?? this.db).$extendTables<Tables>();
  }
}
