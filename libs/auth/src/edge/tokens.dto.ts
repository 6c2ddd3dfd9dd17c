import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import {
  AGENT_SCOPES,
  SCOPES,
  TOOL_FAMILIES,
  type CreatedToken,
  type Scope,
  type Snapshot,
  type TokenInfo,
  type ToolFamily,
  type WorkspaceId,
} from '#contracts';
import { MayBeAbsent } from '#platform';
import { MAX_NAME_INPUT } from './auth.dto.js';

export class CreateTokenDto {
  @ApiProperty({ example: 'build agent' })
  @IsString()
  @MaxLength(MAX_NAME_INPUT)
  readonly name!: string;

  /** Left out: what an agent needs, without `approvals:decide` and `admin`. */
  @ApiPropertyOptional({ enum: SCOPES, isArray: true, default: AGENT_SCOPES })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @IsIn(SCOPES, { each: true })
  readonly scopes?: readonly Scope[];

  /** Left out: until it is revoked. */
  @ApiPropertyOptional({ minimum: 1, maximum: 3_650 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(3_650)
  readonly expiresInDays?: number;

  /** Left out: all workspaces. */
  @ApiPropertyOptional({ type: String, format: 'uuid', isArray: true })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  @IsUUID(undefined, { each: true })
  readonly workspaces?: readonly WorkspaceId[];

  /** Left out: the tools of every family. */
  @ApiPropertyOptional({ enum: TOOL_FAMILIES, isArray: true })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(TOOL_FAMILIES.length)
  @IsIn(TOOL_FAMILIES, { each: true })
  readonly toolFamilies?: readonly ToolFamily[];

  /** Left out: as many requests as anybody. */
  @ApiPropertyOptional({ minimum: 1, maximum: 100_000 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(100_000)
  readonly ratePerMinute?: number;
}

export class RotateTokenDto {
  /** How long the old token works on. */
  @ApiPropertyOptional({ minimum: 0, maximum: 720, default: 24 })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(720)
  readonly overlapHours: number = 24;
}

export class TokensQuery {
  /** Looked for in the names of tokens and of who made them. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_NAME_INPUT)
  readonly q?: string;
}

export class TokenDto implements TokenInfo {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: TokenInfo['id'];
  @ApiProperty()
  readonly name: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  readonly personId: TokenInfo['personId'];
  @ApiProperty({ enum: SCOPES, isArray: true })
  readonly scopes: readonly Scope[];
  @ApiProperty({ type: String, format: 'uuid', isArray: true, nullable: true })
  readonly workspaces: TokenInfo['workspaces'];
  @ApiProperty({ enum: TOOL_FAMILIES, isArray: true, nullable: true })
  readonly toolFamilies: TokenInfo['toolFamilies'];
  @ApiProperty({ type: Number, nullable: true })
  readonly ratePerMinute: number | null;
  @ApiProperty()
  readonly createdByName: string;
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly expiresAt: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'Exact to a minute.' })
  readonly lastUsedAt: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly revokedAt: number | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  readonly rotatedTo: TokenInfo['rotatedTo'];

  constructor(token: TokenInfo) {
    this.id = token.id;
    this.name = token.name;
    this.personId = token.personId;
    this.scopes = token.scopes;
    this.workspaces = token.workspaces;
    this.toolFamilies = token.toolFamilies;
    this.ratePerMinute = token.ratePerMinute;
    this.createdByName = token.createdByName;
    this.createdAt = token.createdAt;
    this.expiresAt = token.expiresAt;
    this.lastUsedAt = token.lastUsedAt;
    this.revokedAt = token.revokedAt;
    this.rotatedTo = token.rotatedTo;
  }
}

export class CreatedTokenDto implements CreatedToken {
  @ApiProperty({ type: TokenDto })
  readonly token: TokenDto;
  @ApiProperty({ description: 'Shown in this answer and in no other.' })
  readonly secret: string;

  constructor({ token, secret }: CreatedToken) {
    this.token = new TokenDto(token);
    this.secret = secret;
  }
}

export class TokensDto implements Snapshot<TokenInfo> {
  @ApiProperty({ type: TokenDto, isArray: true })
  readonly items: readonly TokenDto[];
  @ApiProperty({ description: 'Follow events after this number.' })
  readonly seq: number;

  constructor({ items, seq }: Snapshot<TokenInfo>) {
    this.items = items.map((token) => new TokenDto(token));
    this.seq = seq;
  }
}
