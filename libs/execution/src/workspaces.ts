import { isAbsolute, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Mode, Principal, PrincipalId, Workspace, WorkspaceId } from '#contracts';
import { type Append, AppError, Clock, EventFeed, newId, PlatformConfig, type Tx } from '#platform';
import { adminDraft, Receipts } from '#receipts';
import { isInside } from './core/paths.js';
import { Files } from './ports.js';
import { WorkspaceRepository } from './repositories.js';

/** Whose event it is when nobody did it. */
const NOBODY = 'system' as PrincipalId;

export interface NewWorkspace {
  /** Null: the first start, which is nobody's deed. */
  readonly by: Principal | null;
  readonly name: string;
  readonly root: string;
  readonly mode: Mode;
}

export type WorkspaceChange = Partial<Pick<Workspace, 'name' | 'mode' | 'toolPaths' | 'gitIdentity'>> & { readonly by: Principal };

/** Owner of the registered folders. Nothing outside them is ever touched. */
@Injectable()
export class Workspaces {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly files: Files,
    private readonly platform: PlatformConfig,
    private readonly receipts: Receipts,
  ) {}

  list(): Promise<readonly Workspace[]> {
    return this.workspaces.list();
  }

  async get(id: WorkspaceId): Promise<Workspace> {
    const workspace = await this.workspaces.find(id);
    if (!workspace) throw new AppError('WORKSPACE_NOT_FOUND', 'No such workspace', { workspaceId: id });
    return workspace;
  }

  /** By id or by name; without either the first one. */
  async resolve(reference?: string): Promise<Workspace> {
    const all = await this.workspaces.list();
    const found = reference === undefined ? all[0] : all.find(({ id, name }) => id === reference || name === reference);
    if (!found) throw new AppError('WORKSPACE_NOT_FOUND', reference === undefined ? 'No workspace is registered' : 'No such workspace');
    return found;
  }

  /** Says no while the folder is away or is another one by now. Nothing that hangs on it is lost. */
  assertPresent({ id, name, root }: Workspace): void {
    if (this.files.realFolder(root) === root) return;
    throw new AppError('WORKSPACE_GONE', `The folder of workspace ${name} is not there now`, { workspaceId: id });
  }

  async register({ by, name, root, mode }: NewWorkspace): Promise<Workspace> {
    const workspace: Workspace = {
      id: newId<WorkspaceId>(),
      name,
      root: this.#rootFor(root),
      mode,
      toolPaths: [],
      gitIdentity: null,
      createdAt: this.clock.now(),
    };
    await this.feed.write(async (tx, append) => {
      if (!(await this.workspaces.insert(tx, workspace))) {
        throw new AppError('WORKSPACE_NAME_TAKEN', 'A workspace with this name or folder is registered already');
      }
      await this.#record(tx, append, by, { action: 'workspace.registered', did: `registered workspace ${name}`, workspace });
    });
    return workspace;
  }

  async update(id: WorkspaceId, { by, ...change }: WorkspaceChange): Promise<Workspace> {
    const old = await this.get(id);
    const workspace: Workspace = {
      ...old,
      ...change,
      toolPaths: change.toolPaths ? await this.#toolPathsFor(change.toolPaths) : old.toolPaths,
    };
    await this.feed.write(async (tx, append) => {
      if (!(await this.workspaces.update(tx, workspace))) {
        throw new AppError('WORKSPACE_NAME_TAKEN', 'A workspace with this name is registered already');
      }
      await this.#record(tx, append, by, { action: 'workspace.changed', did: `changed workspace ${workspace.name}`, workspace });
    });
    return workspace;
  }

  /** Where commands may run, and what is asked before they do, touches trust. */
  async #record(
    tx: Tx,
    append: Append,
    by: Principal | null,
    { action, did, workspace }: { readonly action: string; readonly did: string; readonly workspace: Workspace },
  ): Promise<void> {
    const { createdAt: _, ...facts } = workspace;
    if (by) await this.receipts.write(tx, append, adminDraft({ by, at: this.clock.now(), action, did, details: { workspace: facts } }));
    await append({ owner: by?.id ?? NOBODY, sessionId: null, workspaceId: workspace.id }, { type: 'workspace.changed', workspace });
  }

  #rootFor(path: string): string {
    const root = isAbsolute(path) ? this.files.realFolder(path) : undefined;
    if (root === undefined) throw invalid('The root must be the absolute path of an existing folder');
    if (root === '/') throw invalid('The root of the file system cannot be a workspace');
    const dataDir = this.files.realFolder(this.platform.dataDir) ?? this.platform.dataDir;
    if (isInside(root, dataDir) && root !== join(dataDir, 'workspace')) throw invalid('A workspace cannot lie in the data folder');
    return root;
  }

  async #toolPathsFor(paths: readonly string[]): Promise<readonly string[]> {
    const roots = (await this.workspaces.list()).map(({ root }) => root);
    return paths.map((path) => {
      const folder = isAbsolute(path) ? this.files.realFolder(path) : undefined;
      if (folder === undefined) throw invalid('A tool path must be the absolute path of an existing folder');
      if (folder.includes(':')) throw invalid('A tool path cannot hold a colon');
      if (roots.some((root) => isInside(folder, root))) throw invalid('A tool path cannot lie in a workspace');
      return folder;
    });
  }
}

function invalid(message: string): AppError {
  return new AppError('WORKSPACE_PATH_INVALID', message);
}
