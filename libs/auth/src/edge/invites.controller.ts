import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { AccountLink, InviteInfo, LinkId, Principal, Snapshot } from '#contracts';
import { Caller, EventFeed, Requires, StepUp } from '#platform';
import { AccountLinks } from '../account-links.js';
import { InviteDto } from './people.dto.js';

/** REST door of invitations, for administrators. The link stands in the answer to the invitation and in no other. */
@ApiTags('people')
@Controller('people/invites')
@Requires('admin')
export class InvitesController {
  constructor(
    private readonly links: AccountLinks,
    private readonly feed: EventFeed,
  ) {}

  @Get()
  @ApiOkResponse({ schema: { type: 'object' } })
  async list(@Caller() by: Principal): Promise<Snapshot<InviteInfo>> {
    const seq = this.feed.head; // before the read: an event may come twice, never not at all
    return { items: await this.links.invites(by), seq };
  }

  @Post()
  @StepUp()
  @ApiCreatedResponse({ schema: { type: 'object' } })
  invite(@Caller() by: Principal, @Body() { roles, workspaceRoles, note, expiresInHours }: InviteDto): Promise<AccountLink> {
    return this.links.invite({ by, roles, workspaceRoles: workspaceRoles ?? {}, note: note ?? '', expiresInHours });
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  revoke(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: LinkId): Promise<void> {
    return this.links.revokeInvite(by, id);
  }
}
