import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IsUUID, Matches } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { Principal, SessionId } from '#contracts';
import { AppError } from '../app-error.js';
import { Caller, SignedIn } from './doors.js';
import { EventStreams } from './event-streams.js';
import { MayBeAbsent } from './validation.js';

const CURSOR = /^\d{1,15}$/;

class EventsQuery {
  /** Number of the last event that the viewer has. `Last-Event-ID` wins over it. */
  @MayBeAbsent()
  @Matches(CURSOR)
  readonly after?: string;

  @MayBeAbsent()
  @IsUUID()
  readonly session?: SessionId;
}

/** `GET /api/events`: every state change that the caller may see, as server-sent events. */
@ApiTags('events')
@Controller('events')
export class EventsController {
  constructor(private readonly streams: EventStreams) {}

  @Get()
  @SignedIn()
  async stream(
    @Caller() principal: Principal,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Query() { after, session }: EventsQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.streams.open(reply, { principal, cursor: toCursor(lastEventId ?? after), session });
  }
}

function toCursor(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (CURSOR.test(text)) return Number(text);
  throw new AppError('CURSOR_INVALID', 'A cursor is the number of an event');
}
