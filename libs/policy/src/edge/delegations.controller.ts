import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { DelegationId, Principal } from '#contracts';
import { Caller, RequiresSomewhere, SignedIn, StepUp } from '#platform';
import { Delegations } from '../delegations.js';
import { DelegationDto, DelegationsDto, DelegationsQuery, HandOverDto, PersonNameDto } from './delegations.dto.js';

/** REST door of rights to decide that people hand to each other. Who may do what is the domain's rule. */
@ApiTags('asks')
@Controller('delegations')
@SignedIn()
export class DelegationsController {
  constructor(private readonly delegations: Delegations) {}

  @Get()
  @ApiOkResponse({ type: DelegationsDto })
  async list(@Caller() principal: Principal, @Query() { state }: DelegationsQuery): Promise<DelegationsDto> {
    return new DelegationsDto(await this.delegations.list(principal, state === 'active'));
  }

  /** To whom one may hand a right over. */
  @Get('people')
  @RequiresSomewhere('approvals:decide')
  @ApiOkResponse({ type: PersonNameDto, isArray: true })
  async people(@Caller() principal: Principal): Promise<readonly PersonNameDto[]> {
    return (await this.delegations.people(principal)).map((one) => new PersonNameDto(one));
  }

  @Post()
  @RequiresSomewhere('approvals:decide')
  @StepUp()
  @ApiCreatedResponse({ type: DelegationDto })
  async give(@Caller() by: Principal, @Body() { to, workspaceId, until, reason = '' }: HandOverDto): Promise<DelegationDto> {
    return new DelegationDto(await this.delegations.give({ by, to, workspaceId: workspaceId ?? null, until, reason }));
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @ApiOkResponse({ type: DelegationDto })
  async revoke(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: DelegationId): Promise<DelegationDto> {
    return new DelegationDto(await this.delegations.revoke(by, id));
  }
}
