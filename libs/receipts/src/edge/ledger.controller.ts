import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Requires } from '#platform';
import { Ledger } from '../ledger.js';
import {
  CheckpointsPageDto,
  CheckpointsQuery,
  ConsistencyProofDto,
  ConsistencyQuery,
  InclusionProofDto,
  InclusionQuery,
  LeavesDto,
  LeavesQuery,
  LedgerCheckpointDto,
} from './ledger.dto.js';

const CHECKPOINTS = 50;
const LEAVES = 1_000;

/** REST door of the ledger: whoever keeps an old head can prove that today's ledger goes on from it. */
@ApiTags('receipts')
@Controller('receipts')
@Requires('receipts:read')
export class LedgerController {
  constructor(private readonly ledger: Ledger) {}

  /** The head of this moment, signed. */
  @Get('checkpoint')
  @ApiOkResponse({ type: LedgerCheckpointDto })
  async checkpoint(): Promise<LedgerCheckpointDto> {
    return new LedgerCheckpointDto(await this.ledger.checkpoint());
  }

  /** The heads that were kept, newest first. */
  @Get('checkpoints')
  @ApiOkResponse({ type: CheckpointsPageDto })
  async checkpoints(@Query() { before, limit = CHECKPOINTS }: CheckpointsQuery): Promise<CheckpointsPageDto> {
    return new CheckpointsPageDto(await this.ledger.checkpoints(before, limit));
  }

  @Get('inclusion')
  @ApiOkResponse({ type: InclusionProofDto })
  async inclusion(@Query() { index, size }: InclusionQuery): Promise<InclusionProofDto> {
    return new InclusionProofDto(await this.ledger.inclusion(index, size));
  }

  @Get('consistency')
  @ApiOkResponse({ type: ConsistencyProofDto })
  async consistency(@Query() { from, to }: ConsistencyQuery): Promise<ConsistencyProofDto> {
    return new ConsistencyProofDto(await this.ledger.consistency(from, to));
  }

  @Get('leaves')
  @ApiOkResponse({ type: LeavesDto })
  async leaves(@Query() { from, limit = LEAVES }: LeavesQuery): Promise<LeavesDto> {
    return new LeavesDto(await this.ledger.leaves(from, limit));
  }
}
