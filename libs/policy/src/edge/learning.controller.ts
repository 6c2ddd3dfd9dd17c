import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { LearnedOffers, PlanId, PolicyVersion, Principal, ReplayResult } from '#contracts';
import { BodyLimit, Caller, Requires } from '#platform';
import { Learnings } from '../learnings.js';
import { Replays } from '../replays.js';
import { AcceptLearnedDto, ReplayDto } from './learning.dto.js';

const DEFAULT_DAYS = 7;
const DEFAULT_LIMIT = 100;

/** REST door of replays and of what is learned from approved plans. */
@ApiTags('policy')
@Controller('policy')
export class LearningController {
  constructor(
    private readonly replays: Replays,
    private readonly learnings: Learnings,
  ) {}

  @Post('replay')
  @Requires('admin')
  @HttpCode(200)
  @BodyLimit(768 * 1024)
  replay(@Caller() principal: Principal, @Body() { yaml, days = DEFAULT_DAYS, limit = DEFAULT_LIMIT }: ReplayDto): Promise<ReplayResult> {
    return this.replays.replay({ principal, yaml, days, limit });
  }

  @Get('learned/:planId')
  @Requires('approvals:decide')
  offers(@Caller() principal: Principal, @Param('planId', ParseUUIDPipe) planId: PlanId): Promise<LearnedOffers> {
    return this.learnings.offers(principal, planId);
  }

  @Post('learned/:planId')
  @Requires('admin')
  accept(
    @Caller() by: Principal,
    @Param('planId', ParseUUIDPipe) planId: PlanId,
    @Body() { kind, previous, note }: AcceptLearnedDto,
  ): Promise<PolicyVersion> {
    return this.learnings.accept({ by, planId, kind, previous, note });
  }
}
