import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { SystemInfo } from '#contracts';
import { Database, PlatformConfig, ServerInfo, SignedIn } from '#platform';
import { Executor } from '../ports.js';
import { SystemDto } from './answers.dto.js';

/** `GET /api/system`: what this server is and what contains its runs. */
@ApiTags('system')
@Controller('system')
export class SystemController {
  constructor(
    private readonly server: ServerInfo,
    private readonly platform: PlatformConfig,
    private readonly database: Database,
    private readonly executor: Executor,
  ) {}

  @Get()
  @SignedIn()
  @ApiOkResponse({ type: SystemDto })
  async find(): Promise<SystemInfo> {
    const { facts, advice } = await this.executor.report();
    return {
      version: this.server.version,
      startedAt: this.server.startedAt,
      database: this.database.engine,
      sandbox: facts,
      sandboxAdvice: advice,
      enforcement: facts.enforcement,
      mcpUrl: `${this.platform.publicUrl}/mcp`,
    };
  }
}
