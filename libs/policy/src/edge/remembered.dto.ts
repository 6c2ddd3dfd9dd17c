import { Type } from 'class-transformer';
import { IsIn, IsInt, IsUUID, Max, Min } from 'class-validator';
import { REMEMBERED_STATES, type RememberedState } from '#contracts';
import { MayBeAbsent } from '#platform';

export class RememberedQueryDto {
  @MayBeAbsent()
  @IsIn(REMEMBERED_STATES)
  readonly state?: RememberedState;

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
