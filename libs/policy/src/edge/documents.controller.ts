import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { BasePolicy, Page, PolicyCheck, PolicyInForce, PolicyVersion, PolicyVersionInfo, Principal } from '#contracts';
import { BodyLimit, Caller, Requires, SignedIn } from '#platform';
import { PolicyDocuments } from '../documents.js';
import { Drafts } from '../drafts.js';
import { DraftDto, PolicyInForceDto, PreviousDto, SaveDocumentDto, VersionDto, VersionsDto, VersionsQuery } from './documents.dto.js';

const DEFAULT_LIMIT = 50;
const BODY_BYTES = 768 * 1024;

/** REST door of the policy document: people read it, administrators change it. */
@ApiTags('policy')
@Controller('policy')
export class DocumentsController {
  constructor(
    private readonly documents: PolicyDocuments,
    private readonly drafts: Drafts,
  ) {}

  @Get()
  @SignedIn()
  @ApiOkResponse({ type: PolicyInForceDto })
  current(@Caller() principal: Principal): Promise<PolicyInForce> {
    return this.documents.inForce(principal);
  }

  @Get('base')
  @SignedIn()
  base(@Caller() principal: Principal): BasePolicy {
    return this.drafts.base(principal);
  }

  @Get('versions')
  @SignedIn()
  @ApiOkResponse({ type: VersionsDto })
  versions(@Caller() principal: Principal, @Query() { before, limit }: VersionsQuery): Promise<Page<PolicyVersionInfo>> {
    return this.documents.page(principal, before, limit ?? DEFAULT_LIMIT);
  }

  @Get('versions/:version')
  @SignedIn()
  @ApiOkResponse({ type: VersionDto })
  version(@Caller() principal: Principal, @Param('version') version: string): Promise<PolicyVersion> {
    return this.documents.version(principal, toNumber(version));
  }

  @Post('versions')
  @Requires('admin')
  @BodyLimit(BODY_BYTES)
  @ApiCreatedResponse({ type: VersionDto })
  save(@Caller() by: Principal, @Body() { yaml, previous, note }: SaveDocumentDto): Promise<PolicyVersion> {
    return this.documents.save({ by, yaml, previous, note });
  }

  @Post('versions/:version/restore')
  @Requires('admin')
  @ApiCreatedResponse({ type: VersionDto })
  restore(@Caller() by: Principal, @Param('version') version: string, @Body() { previous, note }: PreviousDto): Promise<PolicyVersion> {
    return this.documents.restore({ by, version: toNumber(version), previous, note });
  }

  @Post('validate')
  @Requires('admin')
  @HttpCode(200)
  @BodyLimit(BODY_BYTES)
  validate(@Caller() principal: Principal, @Body() { yaml }: DraftDto): Promise<PolicyCheck> {
    return this.drafts.check(principal, yaml);
  }
}

/** Text that is no number names no version. */
function toNumber(version: string): number {
  return /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
}
