import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsObject, IsString, IsUUID, Max, MaxLength, Min, MinLength } from 'class-validator';
import { ACTION_RUN_STATUSES, type ActionRunStatus, type ConnectorId, type RunId, type WorkspaceId } from '#contracts';
import { MayBeAbsent } from '#platform';

const MOST_WORKSPACES = 100;
const CONNECT_KINDS = ['oauth2', 'api_key', 'custom_credential', 'no_auth'] as const;

export class ConnectorRefDto {
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  readonly connector!: ConnectorId;
}

class SettingsDto {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(128)
  readonly apiKeyEnv?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  readonly teamName?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(32)
  readonly serverName?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsInt()
  readonly toolCallTimeoutMs?: number;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly failOnStartupError?: boolean;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly leastPrivilege?: boolean;

  @ApiPropertyOptional({ type: [String], format: 'uuid' })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MOST_WORKSPACES)
  @IsUUID(undefined, { each: true })
  readonly workspaces?: readonly WorkspaceId[];
}

export class CreateConnectorDto extends SettingsDto {
  @ApiProperty()
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  readonly name!: string;

  @ApiProperty()
  @IsString()
  @MaxLength(4_096)
  readonly endpoint!: string;
}

export class ChangeConnectorDto extends SettingsDto {
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  readonly connector!: ConnectorId;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  readonly name?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(4_096)
  readonly endpoint?: string;
}

export class SetKeyDto extends ConnectorRefDto {
  @ApiProperty({ enum: ['key', 'admin_token'] })
  @IsIn(['key', 'admin_token'])
  readonly which!: 'key' | 'admin_token';

  /** Absent: taken away. */
  @ApiPropertyOptional({ writeOnly: true })
  @MayBeAbsent()
  @IsString()
  @MinLength(1)
  @MaxLength(4_096)
  readonly key?: string;
}

export class ProviderRefDto extends ConnectorRefDto {
  @ApiProperty()
  @IsString()
  @MaxLength(200)
  readonly service!: string;
}

export class ConnectDto extends ProviderRefDto {
  @ApiProperty({ enum: CONNECT_KINDS })
  @IsIn(CONNECT_KINDS)
  readonly kind!: (typeof CONNECT_KINDS)[number];

  /** The account that is connected again. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  readonly accountId?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(64)
  readonly connectionName?: string;

  @ApiPropertyOptional({ type: [String] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  readonly scopes?: readonly string[];

  @ApiPropertyOptional({ writeOnly: true })
  @MayBeAbsent()
  @IsString()
  readonly apiKey?: string;

  @ApiPropertyOptional({ writeOnly: true })
  @MayBeAbsent()
  @IsObject()
  readonly extra?: Readonly<Record<string, string>>;

  @ApiPropertyOptional({ writeOnly: true })
  @MayBeAbsent()
  @IsObject()
  readonly values?: Readonly<Record<string, string>>;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(2_000)
  readonly comment?: string;
}

export class AccountRefDto extends ConnectorRefDto {
  @ApiProperty()
  @IsString()
  @MaxLength(300)
  readonly accountId!: string;
}

export class OAuthClientDto extends ProviderRefDto {
  /** Absent, with the secret: taken away. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(1_000)
  readonly clientId?: string;

  @ApiPropertyOptional({ writeOnly: true })
  @MayBeAbsent()
  @IsString()
  @MaxLength(4_096)
  readonly clientSecret?: string;
}

export class SearchDto extends ConnectorRefDto {
  @ApiProperty()
  @IsString()
  @MinLength(1)
  @MaxLength(256)
  readonly query!: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(160)
  readonly service?: string;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(50)
  readonly limit?: number;
}

export class ActionRefDto extends ConnectorRefDto {
  @ApiProperty()
  @IsString()
  @MaxLength(330)
  readonly action!: string;
}

export class PlanActionDto extends ActionRefDto {
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  readonly workspace!: WorkspaceId;

  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsString()
  @MaxLength(300)
  readonly account?: string;

  @ApiProperty()
  @IsObject()
  readonly input!: Readonly<Record<string, unknown>>;
}

export class ActionRunsDto {
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @MayBeAbsent()
  @IsUUID()
  readonly connector?: ConnectorId;

  @ApiPropertyOptional({ enum: ACTION_RUN_STATUSES })
  @MayBeAbsent()
  @IsIn(ACTION_RUN_STATUSES)
  readonly status?: ActionRunStatus;

  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @MayBeAbsent()
  @IsUUID()
  readonly before?: RunId;
}

export class ActionRunRefDto {
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  readonly run!: RunId;
}

export class SettleDto extends ActionRunRefDto {
  @ApiProperty({ enum: ['succeeded', 'failed'] })
  @IsIn(['succeeded', 'failed'])
  readonly outcome!: 'succeeded' | 'failed';

  /** How the person knows. */
  @ApiProperty()
  @IsString()
  @MinLength(3)
  @MaxLength(1_000)
  readonly note!: string;
}
