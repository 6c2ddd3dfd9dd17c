import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';

export class FinishSsoDto {
  @ApiProperty({ description: 'What stood behind the question mark when the provider sent the browser back.' })
  @IsString()
  @MaxLength(8_192)
  @Matches(/^\?[\x21-\x7e]+$/)
  readonly query!: string;
}
