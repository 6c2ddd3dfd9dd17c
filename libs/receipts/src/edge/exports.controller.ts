import { Readable } from 'node:stream';
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Principal } from '#contracts';
import { Caller, Requires } from '#platform';
import { ReceiptExports, type ExportedFile } from '../receipt-exports.js';
import { bundleExtras } from './bundle-extras.js';
import { ExportQuery } from './exports.dto.js';

/** REST door of everything that leaves as a file. */
@ApiTags('receipts')
@Controller('receipts/export')
@Requires('receipts:read')
export class ExportsController {
  constructor(private readonly exports: ReceiptExports) {}

  /** Streams: a client that reads slowly slows the export down, and nothing piles up. */
  @Get()
  @ApiOkResponse({
    schema: { type: 'string', format: 'binary', description: 'A bundle (.zip), in-toto statements (.jsonl) or a table (.csv).' },
  })
  async export(@Caller() principal: Principal, @Query() query: ExportQuery): Promise<StreamableFile> {
    const { name, type, bytes } = await this.#file(principal, query);
    return new StreamableFile(Readable.from(bytes), { type, disposition: `attachment; filename="${name}"` });
  }

  async #file(principal: Principal, { format = 'bundle', share = false, reveal = [], ...asked }: ExportQuery): Promise<ExportedFile> {
    const { workspace: workspaceId, principal: owner, ...others } = asked;
    const selection = { ...others, workspaceId, owner };
    const form = { isShared: share, reveal };
    switch (format) {
      case 'bundle':
        return this.exports.bundle(principal, selection, form, await bundleExtras());
      case 'intoto':
        return this.exports.statements(principal, selection, form);
      case 'csv':
        return this.exports.table(principal, selection, form);
    }
  }
}
