import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError } from '#platform';
import { WorkspaceFinder } from '#policy';
import { mayKnowWorkspace, mayKnowWorkspaces } from './core/may-act.js';
import { Workspaces } from './workspaces.js';

/** Tells policy, which explains decisions, how to find a workspace. */
@Injectable()
export class ExplainedWorkspaces implements OnModuleInit {
  constructor(
    private readonly finder: WorkspaceFinder,
    private readonly workspaces: Workspaces,
  ) {}

  onModuleInit(): void {
    this.finder.use(async (reference, principal) => {
      if (!mayKnowWorkspaces(principal))
        throw new AppError('SCOPE_MISSING', 'This needs the scope terminal:plan', { scope: 'terminal:plan' });
      if (principal.workspaceScopes === undefined) return this.workspaces.resolve(reference);
      const known = (await this.workspaces.list()).filter(({ id }) => mayKnowWorkspace(principal, id));
      const found = reference === undefined ? known[0] : known.find(({ id, name }) => id === reference || name === reference);
      if (!found) throw new AppError('WORKSPACE_NOT_FOUND', 'No such workspace');
      return found;
    });
  }
}
