import { Controller, Get, Header, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Principal, ReceiptFile, ReceiptId } from '#contracts';
import { AppError, Caller, Requires } from '#platform';
import { Receipts } from '../receipts.js';
import { CountsQuery, ReceiptCheckDto, ReceiptCountsDto, ReceiptsPageDto, ReceiptsQuery, ShareQuery } from './receipts.dto.js';
import { verifierSource } from './verifier-source.js';

const MOST_STEPS = 1_000;

/** REST door of receipts. */
@ApiTags('receipts')
@Controller('receipts')
@Requires('receipts:read')
export class ReceiptsController {
  constructor(private readonly receipts: Receipts) {}

  @Get()
  @ApiOkResponse({ type: ReceiptsPageDto })
  async page(@Caller() principal: Principal, @Query() { workspace, principal: owner, ...query }: ReceiptsQuery): Promise<ReceiptsPageDto> {
    return new ReceiptsPageDto(await this.receipts.page({ ...query, principal, workspaceId: workspace, owner }));
  }

  /** For charts. */
  @Get('counts')
  @ApiOkResponse({ type: ReceiptCountsDto })
  async counts(@Caller() principal: Principal, @Query() { from, to, step, by = 'outcome' }: CountsQuery): Promise<ReceiptCountsDto> {
    if (to <= from || (to - from) / step > MOST_STEPS) {
      throw new AppError('INPUT_INVALID', `The time must hold from 1 to ${String(MOST_STEPS)} steps`, { from, to, step });
    }
    return new ReceiptCountsDto(await this.receipts.counts(principal, { from, to, stepMs: step, by }));
  }

  /** The verifier as one file without dependencies: for Node, and for browsers as a module. */
  @Get('verifier')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('content-disposition', 'inline; filename="countersign-verify.mjs"')
  @ApiOkResponse({ schema: { type: 'string' } })
  verifier(): Promise<string> {
    return verifierSource();
  }

  @Get(':id')
  @ApiOkResponse({ schema: { type: 'object', description: 'A receipt file.' } })
  async read(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) receiptId: ReceiptId): Promise<ReceiptFile> {
    return this.receipts.read(principal, { receiptId });
  }

  @Get(':id/share')
  @ApiOkResponse({ schema: { type: 'object', description: 'A receipt file without command, paths and output.' } })
  async share(
    @Caller() principal: Principal,
    @Param('id', ParseUUIDPipe) id: ReceiptId,
    @Query() { reveal = [] }: ShareQuery,
  ): Promise<ReceiptFile> {
    return this.receipts.share(principal, id, reveal);
  }

  @Post(':id/verify')
  @HttpCode(200)
  @ApiOkResponse({ type: ReceiptCheckDto, isArray: true })
  async verify(@Caller() principal: Principal, @Param('id', ParseUUIDPipe) id: ReceiptId): Promise<readonly ReceiptCheckDto[]> {
    return (await this.receipts.verify(principal, id)).map((check) => new ReceiptCheckDto(check));
  }
}
