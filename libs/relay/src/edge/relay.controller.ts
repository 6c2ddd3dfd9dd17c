import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '#contracts';
import { McpCalls, McpRegistry } from '#mcp';
import { AppError, BodyLimit, Caller, RequiresSomewhere } from '#platform';
import { Guardian } from '../guardian.js';
import { SessionReads } from '../session-reads.js';
import { Stops } from '../stops.js';
import { SessionBoard } from '../session-board.js';
import { BudgetDto, LogQuery, ReleaseDto, StopDto, ToolCallDto } from './relay.dto.js';

const CALL_BYTES = 262_144;

/** REST door of the relay: its 21 tools with the very same answers, and what only people and scripts need. */
@ApiTags('relay')
@Controller('relay')
export class RelayController {
  constructor(
    private readonly registry: McpRegistry,
    private readonly calls: McpCalls,
    private readonly reads: SessionReads,
    private readonly board: SessionBoard,
    private readonly guardian: Guardian,
    private readonly stops: Stops,
  ) {}

  /** Calls a tool of the relay by its name. */
  @Post('tools/:tool')
  @HttpCode(200)
  @BodyLimit(CALL_BYTES)
  @RequiresSomewhere('relay:read')
  @ApiOkResponse({ description: 'The answer of the tool.', type: Object })
  async call(
    @Caller() principal: Principal,
    @Param('tool') name: string,
    @Body() { arguments: given }: ToolCallDto,
    @Req() { raw }: FastifyRequest,
  ): Promise<unknown> {
    const tool = this.registry.tools.get(name);
    if (tool?.isRelay !== true) throw new AppError('ROUTE_NOT_FOUND', 'The relay has no such tool');
    const left = new AbortController();
    raw.once('close', () => {
      left.abort();
    });
    return this.calls.callPlain(tool, given, { principal, signal: left.signal });
  }

  /** Lines of a session's log as the host wrote them, from a number on. */
  @Get('sessions/:sessionId/log')
  @RequiresSomewhere('relay:read')
  @ApiOkResponse({ description: 'Lines and the next number.', type: Object })
  async log(@Caller() principal: Principal, @Param('sessionId') sessionId: string, @Query() { since, limit }: LogQuery) {
    const { host, facts } = await this.reads.state(principal, sessionId);
    const lines = facts.next > since ? await host.driver.log(sessionId, since) : [];
    const items = lines.slice(0, limit);
    return { items, next: (items.at(-1)?.seq ?? since - 1) + 1, total: facts.next };
  }

  /** Sessions that have a goal, as they are known now. */
  @Get('goals')
  @RequiresSomewhere('relay:read')
  @ApiOkResponse({ description: 'Goals with their sessions and timelines.', type: Object })
  async goals(@Caller() principal: Principal) {
    const withGoal = this.board.all().filter(({ goal, facts }) => goal != null || facts?.goal != null);
    const states = await Promise.all(withGoal.map(({ session }) => this.reads.state(principal, session.id).catch(() => undefined)));
    return {
      items: states.flatMap((state) => {
        if (!state?.goal) return [];
        const { session, host, workspace, goal, status, waiting } = state;
        return [
          {
            sessionId: session.id,
            host: host.name,
            workspace: workspace.name,
            goal,
            status,
            waiting: waiting.approvals.length + waiting.questions.length,
          },
        ];
      }),
    };
  }

  /** What happened to the goal of a session. */
  @Get('sessions/:sessionId/timeline')
  @RequiresSomewhere('relay:read')
  @ApiOkResponse({ description: 'Changes of the goal, oldest first.', type: Object })
  async timeline(@Caller() principal: Principal, @Param('sessionId') sessionId: string) {
    const { facts } = await this.reads.state(principal, sessionId);
    return { items: facts.goalLines, tokens: facts.tokens };
  }

  /** Sets what the goal of a session may use, counted from now on. */
  @Put('sessions/:sessionId/budget')
  @RequiresSomewhere('relay:drive')
  @ApiOkResponse({ description: 'The budget.', type: Object })
  async budget(@Caller() principal: Principal, @Param('sessionId') sessionId: string, @Body() { maxTokens, maxMinutes }: BudgetDto) {
    return this.guardian.setBudget({ principal, sessionId, maxTokens: maxTokens ?? null, maxMinutes: maxMinutes ?? null });
  }

  /** Where agents are stopped. */
  @Get('stops')
  @RequiresSomewhere('relay:read')
  @ApiOkResponse({ description: 'The stops that stand.', type: Object })
  async standing() {
    return { items: await this.stops.list() };
  }

  /** Stops agents in a workspace, or everywhere. */
  @Post('stops')
  @HttpCode(200)
  @RequiresSomewhere('relay:drive')
  @ApiOkResponse({ description: 'How many sessions were ended.', type: Object })
  async stop(@Caller() principal: Principal, @Body() { workspaceId, reason }: StopDto) {
    return { ended: await this.stops.stop({ principal, workspaceId, reason }) };
  }

  /** Lets agents start again. */
  @Delete('stops')
  @RequiresSomewhere('relay:drive')
  @ApiOkResponse({ description: 'Whether a stop stood there.', type: Object })
  async release(@Caller() principal: Principal, @Body() { workspaceId }: ReleaseDto) {
    return { released: await this.stops.release(principal, workspaceId) };
  }
}
