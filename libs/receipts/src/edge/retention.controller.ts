import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Principal } from '#contracts';
import { Caller, Requires } from '#platform';
import { Retention } from '../retention.js';
import { AddRuleDto, RetentionRuleDto } from './retention.dto.js';

/** REST door of the rules that say how long bodies are kept, for administrators. */
@ApiTags('receipts')
@Controller('receipts/retention')
@Requires('admin')
export class RetentionController {
  constructor(private readonly retention: Retention) {}

  @Get()
  @ApiOkResponse({ type: RetentionRuleDto, isArray: true })
  async list(): Promise<readonly RetentionRuleDto[]> {
    return (await this.retention.rules()).map((rule) => new RetentionRuleDto(rule));
  }

  /** Rules are carried out every hour. */
  @Post()
  @ApiCreatedResponse({ type: RetentionRuleDto })
  async add(@Caller() by: Principal, @Body() { subject, workspaceId, keepDays }: AddRuleDto): Promise<RetentionRuleDto> {
    return new RetentionRuleDto(await this.retention.add({ by, subject, workspaceId: workspaceId ?? null, keepDays }));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  async remove(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: string): Promise<void> {
    await this.retention.remove(by, id);
  }
}
