import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Page, Plan, PlanId, Principal, Run } from '#contracts';
import { BodyLimit, Caller, RequiresSomewhere, SignedIn } from '#platform';
import { Claims } from '../claims.js';
import type { WishedLimits } from '../core/limits.js';
import { Planner } from '../planner.js';
import { Plans } from '../plans.js';
import { CreatePlanDto, ExecutePlanDto, type LimitsDto, PlansQuery } from './plans.dto.js';
import { PlanDto, PlansDto, RunDto } from './answers.dto.js';

const MAX_COMMAND_BODY = 262_144;

/** REST door to plans. Maps its wire shape to a command, calls one verb, maps back. */
@ApiTags('plans')
@Controller('plans')
export class PlansController {
  constructor(
    private readonly planner: Planner,
    private readonly plans: Plans,
    private readonly claims: Claims,
  ) {}

  @Post()
  @RequiresSomewhere('terminal:plan')
  @BodyLimit(MAX_COMMAND_BODY)
  @ApiCreatedResponse({ type: PlanDto })
  async create(@Caller() principal: Principal, @Body() body: CreatePlanDto): Promise<Plan> {
    const { sessionId, workspaceId, command, argv, cwd, env, limits, tty, editedFrom } = body;
    if (editedFrom !== undefined) await this.plans.get(principal, editedFrom);
    const request = { kind: 'command', command, argv, cwd, env, limits: limits && toLimits(limits), tty } as const;
    return this.planner.plan({ principal, sessionId, workspace: workspaceId, request, editedFrom });
  }

  @Get()
  @SignedIn()
  @ApiOkResponse({ type: PlansDto })
  async page(@Caller() principal: Principal, @Query() { status, session, before, limit }: PlansQuery): Promise<Page<Plan>> {
    const items = await this.plans.page(principal, { status, sessionId: session, before, limit });
    return { items, next: items.length < limit ? null : (items.at(-1)?.id ?? null) };
  }

  @Get(':id')
  @SignedIn()
  @ApiOkResponse({ type: PlanDto })
  find(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: PlanId): Promise<Plan> {
    return this.plans.get(principal, id);
  }

  @Post(':id/execute')
  @HttpCode(200)
  @RequiresSomewhere('terminal:execute')
  @ApiOkResponse({ type: RunDto })
  async execute(
    @Caller() principal: Principal,
    @Param('id', ParseUUIDPipe) id: PlanId,
    @Body() { sessionId }: ExecutePlanDto,
  ): Promise<Run> {
    const { run } = (await this.claims.claim(principal, id, sessionId)).started;
    return run;
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequiresSomewhere('terminal:plan')
  @ApiOkResponse({ type: PlanDto })
  cancel(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: PlanId): Promise<Plan> {
    return this.plans.cancel(principal, id);
  }
}

/** Only what was sent. */
function toLimits({ network, ...counted }: LimitsDto): WishedLimits {
  const sent = Object.entries(counted as Readonly<Record<string, number | undefined>>).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(sent) as WishedLimits), ...(network && { network: { hosts: network.hosts } }) };
}
