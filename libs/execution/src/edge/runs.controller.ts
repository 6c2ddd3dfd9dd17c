import { Body, Controller, Get, Headers, HttpCode, Param, ParseUUIDPipe, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, IsUUID, Max, MaxLength, Min, MinLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { OutputChunk, Principal, Run, RunId, Snapshot } from '#contracts';
import { AppError, Caller, EventFeed, MayBeAbsent, RequiresSomewhere, SignedIn } from '#platform';
import { Runs } from '../runs.js';
import { Typing } from '../typing.js';
import { RunStreams } from './run-streams.js';
import { OutputDto, RunDto, RunsDto } from './answers.dto.js';

export class RunsQuery {
  /** Only runs that have not ended. */
  @ApiProperty({ type: String, enum: ['true', 'false'], required: false })
  @MayBeAbsent()
  @IsIn(['true', 'false'])
  readonly active?: 'true' | 'false';

  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly before?: RunId;

  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit: number = 100;
}

export class OutputQuery {
  /** Number of the last chunk that the caller has. */
  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly after: number = 0;

  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit: number = 200;
}

export class InputDto {
  @ApiProperty({ type: String })
  @IsString()
  @MinLength(1)
  @MaxLength(4_096)
  readonly text!: string;
}

export class SizeDto {
  @ApiProperty({ type: Number })
  @IsInt()
  @Min(10)
  @Max(500)
  readonly cols!: number;

  @ApiProperty({ type: Number })
  @IsInt()
  @Min(2)
  @Max(300)
  readonly rows!: number;
}

/** REST door to runs and their output. */
@ApiTags('runs')
@Controller('runs')
export class RunsController {
  constructor(
    private readonly runs: Runs,
    private readonly typing: Typing,
    private readonly streams: RunStreams,
    private readonly feed: EventFeed,
  ) {}

  @Get()
  @SignedIn()
  @ApiOkResponse({ type: RunsDto })
  async list(@Caller() principal: Principal, @Query() { active, before, limit }: RunsQuery): Promise<Snapshot<Run>> {
    const seq = this.feed.head; // before the rows: what happens in between is told again
    return { items: await this.runs.page(principal, { isActive: active === 'true', before, limit }), seq };
  }

  @Get(':id')
  @SignedIn()
  @ApiOkResponse({ type: RunDto })
  find(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: RunId): Promise<Run> {
    return this.runs.get(principal, id);
  }

  @Get(':id/output')
  @SignedIn()
  @ApiOkResponse({ type: OutputDto })
  output(
    @Caller() principal: Principal,
    @Param('id', ParseUUIDPipe) id: RunId,
    @Query() { after, limit }: OutputQuery,
  ): Promise<{ items: readonly OutputChunk[]; ended: boolean }> {
    return this.runs.output(principal, id, after, limit);
  }

  @Get(':id/stream')
  @SignedIn()
  async stream(
    @Caller() principal: Principal,
    @Param('id', ParseUUIDPipe) id: RunId,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Query() { after }: OutputQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const cursor = toCursor(lastEventId) ?? after; // all refusals come before the stream begins
    await this.streams.open(reply, principal, await this.runs.get(principal, id), cursor);
  }

  /** What a person types into the terminal of the run. */
  @Post(':id/input')
  @HttpCode(200)
  @RequiresSomewhere('terminal:execute')
  @ApiOkResponse({ type: RunDto })
  input(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: RunId, @Body() { text }: InputDto): Promise<Run> {
    return this.typing.type(principal, id, text);
  }

  @Post(':id/size')
  @HttpCode(200)
  @RequiresSomewhere('terminal:execute')
  @ApiOkResponse({ type: RunDto })
  size(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: RunId, @Body() size: SizeDto): Promise<Run> {
    return this.typing.resize(principal, id, size);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @RequiresSomewhere('terminal:execute')
  @ApiOkResponse({ type: RunDto })
  pause(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: RunId): Promise<Run> {
    return this.runs.pause(principal, id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @RequiresSomewhere('terminal:execute')
  @ApiOkResponse({ type: RunDto })
  resume(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: RunId): Promise<Run> {
    return this.runs.resume(principal, id);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequiresSomewhere('terminal:execute')
  @ApiOkResponse({ type: RunDto })
  cancel(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: RunId): Promise<Run> {
    return this.runs.cancel(principal, id);
  }
}

function toCursor(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError('CURSOR_INVALID', 'A cursor is the number of a frame');
}
