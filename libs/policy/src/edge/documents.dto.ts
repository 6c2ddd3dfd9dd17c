import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsString, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import type { Page, PolicyDiff, PolicyInForce, PolicyText, PolicyVersion, PolicyVersionInfo } from '#contracts';
import { MayBeAbsent } from '#platform';

const MAX_TEXT = 300_000;

export class DraftDto {
  @ApiProperty({ description: 'The document as YAML' })
  @IsString()
  @MaxLength(MAX_TEXT)
  readonly yaml!: string;
}

export class PreviousDto {
  /** Number of the version that the author has seen; 0 when there is none yet. */
  @ApiProperty()
  @IsInt()
  @Min(0)
  readonly previous!: number;

  /** Why, for those who read the versions later. */
  @ApiProperty({ maxLength: 500 })
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  @Matches(/^[^\p{Cc}]*$/u)
  readonly note!: string;
}

export class SaveDocumentDto extends PreviousDto {
  @ApiProperty({ description: 'The document as YAML' })
  @IsString()
  @MaxLength(MAX_TEXT)
  readonly yaml!: string;
}

export class VersionsQuery {
  /** `next` of the page before. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  readonly before?: number;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit?: number;
}

export class VersionInfoDto implements PolicyVersionInfo {
  @ApiProperty({ type: Number })
  readonly version!: number;
  @ApiProperty({ type: String })
  readonly name!: string;
  @ApiProperty({ type: String })
  readonly author!: PolicyVersionInfo['author'];
  @ApiProperty({ type: String })
  readonly authorName!: string;
  @ApiProperty({ type: String })
  readonly note!: string;
  @ApiProperty({ type: Number })
  readonly at!: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly restoredFrom!: number | null;
  @ApiProperty({ type: Number })
  readonly rules!: number;
  @ApiProperty({ type: String })
  readonly sha256!: string;
}

export class VersionDto extends VersionInfoDto implements PolicyVersion {
  @ApiProperty({ type: String })
  readonly yaml!: string;
  @ApiProperty({ type: Object })
  readonly document!: PolicyText;
  @ApiProperty({ type: Object })
  readonly diff!: PolicyDiff;
}

export class VersionsDto implements Page<PolicyVersionInfo> {
  @ApiProperty({ type: [VersionInfoDto] })
  readonly items!: readonly VersionInfoDto[];
  @ApiProperty({ type: String, nullable: true })
  readonly next!: string | null;
}

export class PolicyInForceDto implements PolicyInForce {
  @ApiProperty({ type: Number, description: '0 before anybody has saved a document' })
  readonly version!: number;
  @ApiProperty({ type: String, description: 'What stands in decisions' })
  readonly policyVersion!: string;
  @ApiProperty({ type: String })
  readonly yaml!: string;
  @ApiProperty({ type: Object })
  readonly document!: PolicyText;
  @ApiProperty({ type: VersionInfoDto, nullable: true })
  readonly info!: PolicyVersionInfo | null;
}
