import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { KeyHistory, Principal } from '#contracts';
import { Caller, Requires } from '#platform';
import { KeyChanges } from '../key-changes.js';
import { KeyHistories } from '../key-history.js';
import { ReceiptKeys } from '../receipt-keys.js';
import { KeyIdParam, KeyInfoDto, PublicKeyInfoDto, RevokeKeyDto, RotateKeyDto } from './keys.dto.js';

/** REST door of the signing keys. */
@ApiTags('receipts')
@Controller('receipts/keys')
@Requires('receipts:read')
export class KeysController {
  constructor(
    private readonly keys: ReceiptKeys,
    private readonly changes: KeyChanges,
    private readonly histories: KeyHistories,
  ) {}

  /** Public keys of all time; a receipt names the one that signed it. */
  @Get()
  @ApiOkResponse({ type: PublicKeyInfoDto, isArray: true })
  async list(): Promise<readonly PublicKeyInfoDto[]> {
    await this.keys.reload(); // another process may have changed them
    return this.keys.publicKeys.map((key) => new PublicKeyInfoDto(key));
  }

  /** Keys of both uses, for administrators. */
  @Get('all')
  @Requires('admin')
  @ApiOkResponse({ type: KeyInfoDto, isArray: true })
  async all(): Promise<readonly KeyInfoDto[]> {
    await this.keys.reload();
    return this.keys.infos.map((key) => new KeyInfoDto(key));
  }

  @Get('history')
  @ApiOkResponse({ schema: { type: 'object', description: 'All keys, and the receipts of every change of them.' } })
  history(): Promise<KeyHistory> {
    return this.histories.read();
  }

  @Post('rotate')
  @HttpCode(200)
  @Requires('admin')
  @ApiOkResponse({ type: KeyInfoDto })
  async rotate(@Caller() by: Principal, @Body() { use }: RotateKeyDto): Promise<KeyInfoDto> {
    return new KeyInfoDto(await this.changes.rotate(by, use));
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @Requires('admin')
  @ApiOkResponse({ type: KeyInfoDto })
  async revoke(@Caller() by: Principal, @Param() { id }: KeyIdParam, @Body() { reason }: RevokeKeyDto): Promise<KeyInfoDto> {
    return new KeyInfoDto(await this.changes.revoke({ by, id, reason }));
  }
}
