import { Body, Controller, Get, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Principal, Snapshot, Workspace, WorkspaceId } from '#contracts';
import { Caller, EventFeed, Requires, SignedIn } from '#platform';
import { mayKnowWorkspaces } from '../core/may-act.js';
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
    return { items: mayKnowWorkspaces(principal) ? await this.workspaces.list() : [], seq };
  }

  @Post()
  @Requires('admin')
  @ApiCreatedResponse({ type: WorkspaceDto })
  register(@Caller() by: Principal, @Body() { name, root, mode }: RegisterWorkspaceDto): Promise<Workspace> {
    return this.workspaces.register({ by, name, root, mode });
  }

  @Patch(':id')
  @Requires('admin')
  @ApiOkResponse({ type: WorkspaceDto })
  change(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: WorkspaceId,
    @Body() { name, mode, toolPaths, gitIdentity }: ChangeWorkspaceDto,
  ): Promise<Workspace> {
    return this.workspaces.update(id, {
      by,
      ...(name !== undefined && { name }),
      ...(mode !== undefined && { mode }),
      ...(toolPaths !== undefined && { toolPaths }),
      ...(gitIdentity !== undefined && { gitIdentity: gitIdentity && { name: gitIdentity.name, email: gitIdentity.email } }),
    });
  }
}
