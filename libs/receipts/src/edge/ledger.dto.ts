import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import type { ConsistencyProof, InclusionProof, KeptCheckpoint, LedgerCheckpoint, LedgerLeaves, Page } from '#contracts';
import { MayBeAbsent } from '#platform';
import { PublicKeyDto } from './keys.dto.js';

export class CheckpointsQuery {
  /** `next` of the page before. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly before?: number;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit?: number;
}

export class InclusionQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly index!: number;

  /** Size of the tree; the size of this moment without it. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  readonly size?: number;
}

export class ConsistencyQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly from!: number;

  /** The size of this moment without it. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly to?: number;
}

export class LeavesQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly from!: number;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit?: number;
}

export class LedgerCheckpointDto implements LedgerCheckpoint {
  @ApiProperty()
  readonly size: number;
  @ApiProperty()
  readonly rootHash: string;
  @ApiProperty({ description: 'C2SP signed note.' })
  readonly note: string;
  @ApiProperty({ type: PublicKeyDto })
  readonly key: PublicKeyDto;

  constructor({ size, rootHash, note, key }: LedgerCheckpoint) {
    this.size = size;
    this.rootHash = rootHash;
    this.note = note;
    this.key = new PublicKeyDto(key);
  }
}

export class KeptCheckpointDto extends LedgerCheckpointDto implements KeptCheckpoint {
  @ApiProperty()
  readonly at: number;

  constructor(checkpoint: KeptCheckpoint) {
    super(checkpoint);
    this.at = checkpoint.at;
  }
}

export class CheckpointsPageDto implements Page<KeptCheckpoint> {
  @ApiProperty({ type: [KeptCheckpointDto] })
  readonly items: readonly KeptCheckpointDto[];
  @ApiProperty({ type: String, nullable: true })
  readonly next: string | null;

  constructor({ items, next }: Page<KeptCheckpoint>) {
    this.items = items.map((checkpoint) => new KeptCheckpointDto(checkpoint));
    this.next = next;
  }
}

export class InclusionProofDto implements InclusionProof {
  @ApiProperty()
  readonly index: number;
  @ApiProperty()
  readonly treeSize: number;
  @ApiProperty()
  readonly leafHash: string;
  @ApiProperty({ type: [String] })
  readonly hashes: readonly string[];

  constructor({ index, treeSize, leafHash, hashes }: InclusionProof) {
    this.index = index;
    this.treeSize = treeSize;
    this.leafHash = leafHash;
    this.hashes = hashes;
  }
}

export class ConsistencyProofDto implements ConsistencyProof {
  @ApiProperty()
  readonly from: number;
  @ApiProperty()
  readonly to: number;
  @ApiProperty()
  readonly fromRoot: string;
  @ApiProperty()
  readonly toRoot: string;
  @ApiProperty({ type: [String] })
  readonly hashes: readonly string[];

  constructor({ from, to, fromRoot, toRoot, hashes }: ConsistencyProof) {
    this.from = from;
    this.to = to;
    this.fromRoot = fromRoot;
    this.toRoot = toRoot;
    this.hashes = hashes;
  }
}

export class LeavesDto implements LedgerLeaves {
  @ApiProperty()
  readonly from: number;
  @ApiProperty({ type: [String] })
  readonly hashes: readonly string[];

  constructor({ from, hashes }: LedgerLeaves) {
    this.from = from;
    this.hashes = hashes;
  }
}
