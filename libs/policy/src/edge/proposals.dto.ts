import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, IsUUID, Max, MaxLength, Min, MinLength } from 'class-validator';
import { GENERALISATIONS, PROPOSAL_STATUSES, type Generalisation, type PlanId, type ProposalStatus } from '#contracts';
import { MayBeAbsent } from '#platform';

export class ProposalsQuery {
  @MayBeAbsent()
  @IsIn(PROPOSAL_STATUSES)
  readonly status?: ProposalStatus;

  /** `next` of the page before. */
  @MayBeAbsent()
  @IsUUID()
  readonly before?: string;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit?: number;
}

export class ProposeDto {
  @ApiProperty({ minLength: 1, maxLength: 500 })
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  readonly note!: string;

  /** An approved plan to learn from; with `kind`. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @MayBeAbsent()
  @IsUUID()
  readonly planId?: PlanId;

  @ApiPropertyOptional({ enum: GENERALISATIONS })
  @MayBeAbsent()
  @IsIn(GENERALISATIONS)
  readonly kind?: Generalisation;

  /** Rules to add, as a YAML list. */
  @ApiPropertyOptional({ maxLength: 16_384 })
  @MayBeAbsent()
  @IsString()
  @MinLength(1)
  @MaxLength(16_384)
  readonly rules?: string;
}

export class DismissDto {
  @ApiPropertyOptional({ maxLength: 500 })
  @MayBeAbsent()
  @IsString()
  @MaxLength(500)
  readonly reason?: string;
}
