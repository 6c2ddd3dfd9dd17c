import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { HOST_KINDS, type HostKind, type HostPackage, type HostView, type Snapshot, type WorkspaceId } from '#contracts';
import { MayBeAbsent } from '#platform';

const MOST_WORKSPACES = 100;
const MOST_WORDS = 64;
/** As the host itself wants it: visible letters only. */
const KEY = /^[\x21-\x7e]{1,1024}$/;

/** Which fields count is told by the kind. */
export class HostSettingsDto {
  @ApiProperty({ enum: HOST_KINDS })
  @IsIn(HOST_KINDS)
  readonly kind!: HostKind;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(100)
  readonly provider?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(100)
  readonly model?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(2_048)
  readonly baseUrl?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(2_048)
  readonly url?: string;

  @ApiPropertyOptional({ type: [String] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MOST_WORDS)
  @IsString({ each: true })
  @MaxLength(4_096, { each: true })
  readonly argv?: readonly string[];

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsObject()
  readonly env?: Readonly<Record<string, string>>;
}

export class ChangeHostDto {
  @ApiPropertyOptional({ maxLength: 100 })
  @MayBeAbsent()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly name?: string;

  @ApiPropertyOptional({ type: HostSettingsDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => HostSettingsDto)
  readonly settings?: HostSettingsDto;

  /** Write-only. */
  @ApiPropertyOptional({ writeOnly: true })
  @MayBeAbsent()
  @Matches(KEY)
  readonly key?: string;

  /** Takes the key away. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly withoutKey?: boolean;

  @ApiPropertyOptional({ type: [String], format: 'uuid' })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MOST_WORKSPACES)
  @IsUUID(undefined, { each: true })
  readonly workspaces?: readonly WorkspaceId[];

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly autoApproveEscalations?: boolean;
}

export class CreateHostDto {
  @ApiProperty({ maxLength: 100 })
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly name!: string;

  @ApiProperty({ type: HostSettingsDto })
  @IsObject()
  @ValidateNested()
  @Type(() => HostSettingsDto)
  readonly settings!: HostSettingsDto;

  /** Write-only. */
  @ApiPropertyOptional({ writeOnly: true })
  @MayBeAbsent()
  @Matches(KEY)
  readonly key?: string;

  @ApiPropertyOptional({ type: [String], format: 'uuid' })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MOST_WORKSPACES)
  @IsUUID(undefined, { each: true })
  readonly workspaces?: readonly WorkspaceId[];

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly autoApproveEscalations?: boolean;
}

/** Hosts, and the package that one of them can be started from. */
export interface HostsView extends Snapshot<HostView> {
  readonly package: HostPackage;
}

/** What a look at a connected host gave. */
export interface HostTest {
  readonly tookMs: number;
  readonly sessions: number;
}
