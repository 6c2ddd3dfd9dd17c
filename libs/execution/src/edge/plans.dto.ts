import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { PLAN_STATUSES, type PlanId, type PlanStatus, type SessionId, type WorkspaceId } from '#contracts';
import { MayBeAbsent } from '#platform';

const MAX_VARIABLES = 64;

/** An object whose values are all text. */
const IsTextMap = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTextMap',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length <= MAX_VARIABLES &&
        Object.values(value).every((text) => typeof text === 'string'),
    },
  });

/** What a run may reach. */
export class NetworkDto {
  /** Each a host for https, a host and a port, `*.domain`, or an address. */
  @ApiProperty({ type: [String], example: ['registry.npmjs.org'] })
  @IsArray()
  @ArrayMaxSize(32)
  @IsString({ each: true })
  @MaxLength(262, { each: true })
  readonly hosts!: readonly string[];
}

export class LimitsDto {
  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @IsInt()
  readonly timeoutMs?: number;

  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @IsInt()
  readonly maxOutputBytes?: number;

  /** Processor time of all its processes. */
  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @IsInt()
  readonly cpuMs?: number;

  /** Resident memory of all its processes together. */
  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @IsInt()
  readonly memoryBytes?: number;

  /** Processes alive at once. */
  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @IsInt()
  readonly processes?: number;

  /** Size of one file that it writes. */
  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @IsInt()
  readonly fileBytes?: number;

  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @IsInt()
  readonly openFiles?: number;

  @ApiProperty({ type: NetworkDto, required: false })
  @MayBeAbsent()
  @ValidateNested()
  @Type(() => NetworkDto)
  readonly network?: NetworkDto;
}

export class CreatePlanDto {
  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly sessionId?: SessionId;

  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly workspaceId?: WorkspaceId;

  /** A command line; taken apart by the server, never by a shell. Either this or `argv`. */
  @ApiProperty({ type: String, required: false, example: 'git status' })
  @MayBeAbsent()
  @IsString()
  @MinLength(1)
  @MaxLength(131_072)
  readonly command?: string;

  /** Program and arguments. */
  @ApiProperty({ type: [String], required: false, example: ['ls', '-la'] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_024)
  @IsString({ each: true })
  @MaxLength(131_072, { each: true })
  readonly argv?: readonly string[];

  /** Working folder, from the root of the workspace. */
  @ApiProperty({ type: String, required: false })
  @MayBeAbsent()
  @IsString()
  @MaxLength(4_096)
  readonly cwd?: string;

  @ApiProperty({ type: Object, required: false })
  @MayBeAbsent()
  @IsTextMap()
  readonly env?: Readonly<Record<string, string>>;

  /** Run it in a terminal, into which people of the console may type. */
  @ApiProperty({ type: Boolean, required: false })
  @MayBeAbsent()
  @IsBoolean()
  readonly tty?: boolean;

  @ApiProperty({ type: LimitsDto, required: false })
  @MayBeAbsent()
  @ValidateNested()
  @Type(() => LimitsDto)
  readonly limits?: LimitsDto;

  /** The plan that was edited into this one. */
  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly editedFrom?: PlanId;
}

export class PlansQuery {
  @ApiProperty({ enum: PLAN_STATUSES, required: false })
  @MayBeAbsent()
  @IsIn(PLAN_STATUSES)
  readonly status?: PlanStatus;

  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly session?: SessionId;

  /** `next` of the page before. */
  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly before?: PlanId;

  @ApiProperty({ type: Number, required: false })
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit: number = 50;
}

export class ExecutePlanDto {
  @ApiProperty({ type: String, format: 'uuid', required: false })
  @MayBeAbsent()
  @IsUUID()
  readonly sessionId?: SessionId;
}
