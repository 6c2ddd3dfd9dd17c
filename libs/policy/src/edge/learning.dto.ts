import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { GENERALISATIONS, type Generalisation } from '#contracts';
import { MayBeAbsent } from '#platform';
import { DraftDto, PreviousDto } from './documents.dto.js';

export class ReplayDto extends DraftDto {
  @ApiPropertyOptional({ minimum: 1, maximum: 90 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(90)
  readonly days?: number;

  @ApiPropertyOptional({ minimum: 1, maximum: 500 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(500)
  readonly limit?: number;
}

export class AcceptLearnedDto extends PreviousDto {
  @ApiProperty({ enum: GENERALISATIONS })
  @IsIn(GENERALISATIONS)
  readonly kind!: Generalisation;
}
