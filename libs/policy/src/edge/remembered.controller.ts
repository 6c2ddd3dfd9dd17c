import { Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Page, Principal, RememberedApproval, RememberedId } from '#contracts';
import { Caller, Requires, SignedIn } from '#platform';
import { Remembered } from '../remembered.js';
import { RememberedQueryDto } from './remembered.dto.js';

const DEFAULT_LIMIT = 50;

/** REST door of remembered approvals. They are made by a vote. */
@ApiTags('policy')
@Controller('policy/remembered')
export class RememberedController {
  constructor(private readonly remembered: Remembered) {}

  @Get()
  @SignedIn()
  page(
    @Caller() principal: Principal,
    @Query() { state, before, limit = DEFAULT_LIMIT }: RememberedQueryDto,
  ): Promise<Page<RememberedApproval>> {
    return this.remembered.page({ principal, state, before, limit });
  }

  @Post(':id/revoke')
  @Requires('approvals:decide')
  @HttpCode(200)
  revoke(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: RememberedId): Promise<RememberedApproval> {
    return this.remembered.revoke(by, id);
  }
}
