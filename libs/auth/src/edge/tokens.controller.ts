import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AGENT_SCOPES, type Principal, type PrincipalId } from '#contracts';
import { Caller, Clock, EventFeed, SignedIn } from '#platform';
import { Tokens } from '../tokens.js';
import { CreatedTokenDto, CreateTokenDto, RotateTokenDto, TokensDto, TokensQuery } from './tokens.dto.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** REST door of tokens. Who may do what is decided in `Tokens`: a person for their own, an administrator for all. */
@ApiTags('tokens')
@Controller('tokens')
@SignedIn()
export class TokensController {
  constructor(
    private readonly tokens: Tokens,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOkResponse({ type: TokensDto })
  async list(@Caller() by: Principal, @Query() { q }: TokensQuery): Promise<TokensDto> {
    const seq = this.feed.head; // before the read: an event may come twice, never not at all
    return new TokensDto({ items: await this.tokens.list(by, q), seq });
  }

  @Post()
  @ApiCreatedResponse({ type: CreatedTokenDto })
  async create(
    @Caller() by: Principal,
    @Body() { name, scopes, expiresInDays, workspaces, toolFamilies, ratePerMinute }: CreateTokenDto,
  ): Promise<CreatedTokenDto> {
    const created = await this.tokens.create({
      by,
      name,
      personId: by.kind === 'person' ? by.id : (by.personId ?? null),
      scopes: scopes ?? AGENT_SCOPES,
      expiresAt: expiresInDays === undefined ? null : this.clock.now() + expiresInDays * DAY_MS,
      workspaces,
      toolFamilies,
      ratePerMinute,
    });
    return new CreatedTokenDto(created);
  }

  /** A successor with the same reach; the old one works on for a while. */
  @Post(':id/rotate')
  @ApiCreatedResponse({ type: CreatedTokenDto })
  async rotate(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: PrincipalId,
    @Body() { overlapHours }: RotateTokenDto,
  ): Promise<CreatedTokenDto> {
    return new CreatedTokenDto(await this.tokens.rotate({ by, id, overlapMs: overlapHours * HOUR_MS }));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  async revoke(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: PrincipalId): Promise<void> {
    await this.tokens.revoke(by, id);
  }
}
