import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { AskId, Principal } from '#contracts';
import { Caller, SignedIn } from '#platform';
import { Asks } from '../asks.js';
import { AskDto, AsksDto, AsksQuery, CastVoteDto } from './asks.dto.js';

/** REST door of asks. Open to every caller: who sees and who decides what is the domain's rule, the same for every door. */
@ApiTags('asks')
@Controller('asks')
@SignedIn()
export class AsksController {
  constructor(private readonly asks: Asks) {}

  @Get()
  @ApiOkResponse({ type: AsksDto })
  async list(@Caller() principal: Principal, @Query() { state, kind, before, limit }: AsksQuery): Promise<AsksDto> {
    return new AsksDto(await this.asks.list({ principal, state, kind, before, limit }));
  }

  @Get(':id')
  @ApiOkResponse({ type: AskDto })
  async read(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: AskId): Promise<AskDto> {
    return new AskDto(await this.asks.read(principal, id));
  }

  @Post(':id/votes')
  @HttpCode(200)
  @ApiOkResponse({ type: AskDto })
  async vote(
    @Caller() principal: Principal,
    @Param('id', ParseUUIDPipe) askId: AskId,
    @Body() { answer, digest, reason, remember }: CastVoteDto,
  ): Promise<AskDto> {
    return new AskDto(await this.asks.vote({ principal, askId, answer, digest, reason, remember }));
  }
}
