import { Injectable } from '@nestjs/common';
import type { Workspace, WorkspaceId } from '#contracts';
import { Database, type Tx } from '#platform';
import { WorkspaceRepository } from '../repositories.js';
import type { ExecutionTables } from './execution.tables.js';

type Row = ExecutionTables['workspaces'];

@Injectable()
export class KyselyWorkspaceRepository extends WorkspaceRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async find(id: WorkspaceId, tx?: Tx): Promise<Workspace | undefined> {
    const row = await (tx ?? this.db)
      .$extendTables<ExecutionTables>()
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toWorkspace(row);
  }

  override async list(): Promise<readonly Workspace[]> {
    const rows = await this.#tables.selectFrom('workspaces').selectAll().orderBy('id').execute();
    return rows.map(toWorkspace);
  }

  override async insert(tx: Tx, workspace: Workspace): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await tx
      .$extendTables<ExecutionTables>()
      .insertInto('workspaces')
      .values(toRow(workspace))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows !== 0n;
  }

  override async update(tx: Tx, workspace: Workspace): Promise<boolean> {
    const { id, name, mode, tool_paths, git_identity } = toRow(workspace);
    const { numUpdatedRows } = await tx
      .$extendTables<ExecutionTables>()
      .updateTable('workspaces')
      .set({ name, mode, tool_paths, git_identity })
      .where('id', '=', id)
      .where((eb) => {
        const others = eb.selectFrom('workspaces as other').select('other.id').where('other.name', '=', name).where('other.id', '<>', id);
        return eb.not(eb.exists(others));
      })
      .executeTakeFirst();
    return numUpdatedRows !== 0n;
  }

  get #tables() {
    return this.db.$extendTables<ExecutionTables>();
  }
}

function toRow({ id, name, root, mode, toolPaths, gitIdentity, createdAt }: Workspace): Row {
  return {
    id,
    name,
    root,
    mode,
    tool_paths: JSON.stringify(toolPaths),
    git_identity: gitIdentity && JSON.stringify(gitIdentity),
    created_at: createdAt,
  };
}

function toWorkspace({ id, name, root, mode, tool_paths, git_identity, created_at }: Row): Workspace {
  return {
    id,
    name,
    root,
    mode,
    toolPaths: JSON.parse(tool_paths) as string[], // only `toRow` writes both JSON columns
    gitIdentity: git_identity === null ? null : (JSON.parse(git_identity) as Workspace['gitIdentity']),
    createdAt: created_at,
  };
}
