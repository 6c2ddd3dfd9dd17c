import { Readable } from 'node:stream';
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiPropertyOptional, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import type { AuditEntry, Page, Principal } from '#contracts';
import { Caller, MayBeAbsent, Requires } from '#platform';
import { AdminAudit, type ExportFormat } from '../admin-audit.js';

const FORMATS = ['csv', 'jsonl'] as const;
const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' };

/** Which changes; every filter that is given must hold. */
export class AuditFilterQuery {
  /** Words that must all stand in the summary or a name. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  readonly q?: string;

  /** Id of the principal who did it. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(64)
  readonly by?: string;

  /** Beginning of the action, such as `token.`. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @Matches(/^[a-z_.]{1,64}$/)
  readonly action?: string;

  /** Milliseconds: changes from this time on. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly from?: number;

  /** Milliseconds: changes before this time. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly to?: number;
}

export class AuditQuery extends AuditFilterQuery {
  /** `next` of the page before. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(32)
  readonly before?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit: number = 50;
}

export class AuditExportQuery extends AuditFilterQuery {
  @ApiPropertyOptional({ enum: FORMATS, default: 'jsonl' })
  @MayBeAbsent()
  @IsIn(FORMATS)
  readonly format: ExportFormat = 'jsonl';
}

/** REST door of administrative changes, for administrators. */
@ApiTags('audit')
@Controller('audit')
@Requires('admin')
export class AuditController {
  constructor(private readonly audit: AdminAudit) {}

  @Get()
  @ApiOkResponse({ schema: { type: 'object' } })
  page(@Caller() principal: Principal, @Query() { q, by, action, from, to, before, limit }: AuditQuery): Promise<Page<AuditEntry>> {
    return this.audit.page({ principal, q, by, action, from, to, before, limit });
  }

  @Get('export')
  @ApiProduces(...Object.values(TYPES))
  @ApiOkResponse({ schema: { type: 'string' } })
  export(@Caller() principal: Principal, @Query() { q, by, action, from, to, format }: AuditExportQuery): StreamableFile {
    const lines = this.audit.export(principal, { q, by, action, from, to }, format);
    const disposition = `attachment; filename="countersign-audit.${format}"`;
    return new StreamableFile(Readable.from(lines), { type: TYPES[format], disposition });
  }
}
