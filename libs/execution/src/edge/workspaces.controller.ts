import { Body, Controller, Get, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { hasScope } from '#contracts';
import type { Principal, Snapshot, Workspace, WorkspaceId } from '#contracts';
import { AppError, Caller, EventFeed, Requires, RequiresSomewhere, SignedIn } from '#platform';
import { mayKnowWorkspace } from '../core/may-act.js';
import { Workspaces } from '../workspaces.js';
import { ChangeWorkspaceDto, RegisterWorkspaceDto } from './workspaces.dto.js';
import { WorkspaceDto, WorkspacesDto } from './answers.dto.js';

/** REST door to the registered folders. */
@ApiTags('workspaces')
@Controller('workspaces')
export class WorkspacesController {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly feed: EventFeed,
  ) {}

  @Get()
  @SignedIn()
  @ApiOkResponse({ type: WorkspacesDto })
  async list(@Caller() principal: Principal): Promise<Snapshot<Workspace>> {
    const seq = this.feed.head; // before the rows: what happens in between is told again
    return { items: (await this.workspaces.list()).filter(({ id }) => mayKnowWorkspace(principal, id)), seq };
  }

  @Post()
  @Requires('admin')
  @ApiCreatedResponse({ type: WorkspaceDto })
  register(@Caller() by: Principal, @Body() { name, root, mode }: RegisterWorkspaceDto): Promise<Workspace> {
    return this.workspaces.register({ by, name, root, mode });
  }

  @Patch(':id')
  @RequiresSomewhere('admin')
  @ApiOkResponse({ type: WorkspaceDto })
  async change(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: WorkspaceId,
    @Body() { name, mode, toolPaths, gitIdentity }: ChangeWorkspaceDto,
  ): Promise<Workspace> {
    if (!hasScope(by, 'admin', id)) throw new AppError('SCOPE_MISSING', 'This needs the scope admin in this workspace', { scope: 'admin' });
    return this.workspaces.update(id, {
      by,
      ...(name !== undefined && { name }),
      ...(mode !== undefined && { mode }),
      ...(toolPaths !== undefined && { toolPaths }),
      ...(gitIdentity !== undefined && { gitIdentity: gitIdentity && { name: gitIdentity.name, email: gitIdentity.email } }),
    });
  }
}
