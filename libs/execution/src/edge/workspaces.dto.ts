import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsEmail, IsIn, IsOptional, IsString, Matches, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { MODES, type Mode } from '#contracts';
import { MayBeAbsent } from '#platform';

/** One line that a person can read. */
const PLAIN_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}]+$/u;

export class GitIdentityDto {
  @ApiProperty({ type: String })
  @IsString()
  @MaxLength(100)
  @Matches(PLAIN_LINE)
  readonly name!: string;

  @ApiProperty({ type: String })
  @IsEmail()
  @MaxLength(200)
  readonly email!: string;
}

export class RegisterWorkspaceDto {
  @ApiProperty({ type: String, example: 'website' })
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  @Matches(PLAIN_LINE)
  readonly name!: string;

  /** Absolute path of an existing folder on the server. */
  @ApiProperty({ type: String })
  @IsString()
  @MaxLength(4_096)
  readonly root!: string;

  @ApiProperty({ enum: MODES })
  @IsIn(MODES)
  readonly mode!: Mode;
}

export class ChangeWorkspaceDto {
  @ApiProperty({ type: String, required: false })
  @MayBeAbsent()
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  @Matches(PLAIN_LINE)
  readonly name?: string;

  @ApiProperty({ enum: MODES, required: false })
  @MayBeAbsent()
  @IsIn(MODES)
  readonly mode?: Mode;

  /** Extra folders of programs, absolute, outside every workspace. */
  @ApiProperty({ type: [String], required: false })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(16)
  @IsString({ each: true })
  @MaxLength(4_096, { each: true })
  readonly toolPaths?: readonly string[];

  /** Null takes it away. */
  @ApiProperty({ type: GitIdentityDto, required: false, nullable: true })
  @IsOptional()
  @ValidateNested()
  @Type(() => GitIdentityDto)
  readonly gitIdentity?: GitIdentityDto | null;
}
