import { Controller, Get, Header, HttpStatus, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Metrics } from '../metrics.js';
import { Readiness, type Ready } from '../readiness.js';
import { ServerInfo } from '../server-info.js';
import { Public, Requires } from './doors.js';

/** What operators and their tools ask. Outside `/api`, because such tools expect these paths. */
@ApiTags('operations')
@Controller()
export class OperationsController {
  constructor(
    private readonly info: ServerInfo,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  /** The process lives. */
  @Get('health')
  @Public()
  health(): { readonly status: 'ok'; readonly version: string } {
    return { status: 'ok', version: this.info.version };
  }

  /** The process can do its work: it can write, and what other planes need is there. */
  @Get('ready')
  @Public()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Ready> {
    const answer = await this.readiness.ask();
    void reply.status(answer.ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return answer;
  }

  @Get('metrics')
  @Requires('admin')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  show(): Promise<string> {
    return this.metrics.text();
  }
}
