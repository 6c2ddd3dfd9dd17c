import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Page, PolicyProposal, Principal, ProposalId } from '#contracts';
import { Caller, Requires, SignedIn } from '#platform';
import { Proposals } from '../proposals.js';
import { PreviousDto } from './documents.dto.js';
import { DismissDto, ProposalsQuery, ProposeDto } from './proposals.dto.js';

const DEFAULT_LIMIT = 50;

/** REST door of proposals: anybody may propose, people decide. */
@ApiTags('policy')
@Controller('policy/proposals')
export class ProposalsController {
  constructor(private readonly proposals: Proposals) {}

  @Get()
  @SignedIn()
  page(@Caller() principal: Principal, @Query() { status, before, limit = DEFAULT_LIMIT }: ProposalsQuery): Promise<Page<PolicyProposal>> {
    return this.proposals.page({ principal, status, before, limit });
  }

  @Post()
  @SignedIn()
  propose(@Caller() by: Principal, @Body() { note, planId, kind, rules }: ProposeDto): Promise<PolicyProposal> {
    return this.proposals.propose({ by, note, planId: planId ?? null, kind: kind ?? null, rules: rules ?? null });
  }

  @Post(':id/accept')
  @Requires('admin')
  @HttpCode(200)
  accept(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: ProposalId,
    @Body() { previous, note }: PreviousDto,
  ): Promise<PolicyProposal> {
    return this.proposals.accept(by, id, previous, note);
  }

  @Post(':id/dismiss')
  @Requires('approvals:decide')
  @HttpCode(200)
  dismiss(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: ProposalId, @Body() { reason }: DismissDto): Promise<PolicyProposal> {
    return this.proposals.dismiss(by, id, reason ?? null);
  }
}
