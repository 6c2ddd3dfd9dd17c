import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceFinder } from '#policy';
import { Workspaces } from './workspaces.js';

/** Tells policy, which explains decisions, how to find a workspace. */
@Injectable()
export class ExplainedWorkspaces implements OnModuleInit {
  constructor(
    private readonly finder: WorkspaceFinder,
    private readonly workspaces: Workspaces,
  ) {}

  onModuleInit(): void {
    this.finder.use((reference) => this.workspaces.resolve(reference));
  }
}
