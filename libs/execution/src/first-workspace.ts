import { join } from 'node:path';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { AppError, ConfigError, PlatformConfig } from '#platform';
import { ExecutionConfig } from './execution.config.js';
import { Files } from './ports.js';
import { Workspaces } from './workspaces.js';

/** Sees to it that there is a workspace: the one that the settings name, or a new folder. */
@Injectable()
export class FirstWorkspace implements OnModuleInit {
  readonly #log = new Logger(FirstWorkspace.name);

  constructor(
    private readonly workspaces: Workspaces,
    private readonly files: Files,
    private readonly config: ExecutionConfig,
    private readonly platform: PlatformConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    const registered = await this.workspaces.list();
    const { workspaceRoot } = this.config;
    if (registered.length === 0) await this.#register();
    else if (workspaceRoot !== undefined && !registered.some(({ root }) => root === this.files.realFolder(workspaceRoot))) {
      this.#log.warn('WORKSPACE_ROOT names only the first workspace; register other folders in the console');
    }
  }

  async #register(): Promise<void> {
    const { workspaceRoot, approvalMode } = this.config;
    const created = join(this.platform.dataDir, 'workspace');
    if (workspaceRoot === undefined) this.files.makeFolder(created);
    const root = this.files.realFolder(workspaceRoot ?? created);
    if (root === undefined) throw new ConfigError(['WORKSPACE_ROOT'], 'Cannot use the setting WORKSPACE_ROOT: it names no existing folder');
    // A newcomer sees a plan wait; a folder that somebody names starts with reading only.
    const mode = approvalMode ?? (workspaceRoot === undefined ? 'confirm' : 'inspect');
    try {
      await this.workspaces.register({ by: null, name: 'workspace', root, mode });
    } catch (error) {
      if (error instanceof AppError && error.code === 'WORKSPACE_NAME_TAKEN') return; // another process of this start was first
      if (error instanceof AppError) throw new ConfigError(['WORKSPACE_ROOT'], `Cannot use the setting WORKSPACE_ROOT: ${error.message}`);
      throw error;
    }
  }
}
