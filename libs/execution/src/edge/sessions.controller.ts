import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import type { Principal, Session, SessionId, Snapshot, WorkspaceId } from '#contracts';
import { Caller, EventFeed, MayBeAbsent, RequiresSomewhere, SignedIn } from '#platform';
import { SessionEndings } from '../session-endings.js';
import { Sessions } from '../sessions.js';
import { SessionDto, SessionsDto } from './answers.dto.js';

export class OpenSessionDto {
  /** The first workspace when left out. */
  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly workspaceId?: WorkspaceId;
}

/** REST door to sessions. */
@ApiTags('sessions')
@Controller('sessions')
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly endings: SessionEndings,
    private readonly feed: EventFeed,
  ) {}

  @Get()
  @SignedIn()
  @ApiOkResponse({ type: SessionsDto })
  async list(@Caller() principal: Principal): Promise<Snapshot<Session>> {
    const seq = this.feed.head; // before the rows: what happens in between is told again
    return { items: await this.sessions.list(principal), seq };
  }

  @Post()
  @RequiresSomewhere('terminal:plan')
  @ApiCreatedResponse({ type: SessionDto })
  open(@Caller() principal: Principal, @Body() { workspaceId }: OpenSessionDto): Promise<Session> {
    return this.sessions.open(principal, workspaceId);
  }

  @Get(':id')
  @SignedIn()
  @ApiOkResponse({ type: SessionDto })
  find(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: SessionId): Promise<Session> {
    return this.sessions.get(principal, id);
  }

  @Post(':id/close')
  @HttpCode(200)
  @RequiresSomewhere('terminal:plan')
  @ApiOkResponse({ type: SessionDto })
  async close(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: SessionId): Promise<Session> {
    return this.endings.close(await this.sessions.getToAct(principal, id));
  }
}
