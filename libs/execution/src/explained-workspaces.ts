import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError } from '#platform';
import { WorkspaceFinder } from '#policy';
import { mayKnowWorkspaces } from './core/may-act.js';
import { Workspaces } from './workspaces.js';

/** Tells policy, which explains decisions, how to find a workspace. */
@Injectable()
export class ExplainedWorkspaces implements OnModuleInit {
  constructor(
    private readonly finder: WorkspaceFinder,
    private readonly workspaces: Workspaces,
  ) {}

  onModuleInit(): void {
    this.finder.use((reference, principal) => {
      if (!mayKnowWorkspaces(principal))
        throw new AppError('SCOPE_MISSING', 'This needs the scope terminal:plan', { scope: 'terminal:plan' });
      return this.workspaces.resolve(reference);
    });
  }
}
