import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsObject, IsString, IsUUID, Max, MaxLength, Min, MinLength, ValidateIf } from 'class-validator';
import type { WorkspaceId } from '#contracts';
import { MayBeAbsent } from '#platform';

export class LogQuery {
  /** The first line that is wanted. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  readonly since: number = 0;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(2_000)
  readonly limit: number = 500;
}

export class ToolCallDto {
  @ApiProperty({ description: 'The arguments of the tool, as MCP clients send them.', type: Object })
  @IsObject()
  readonly arguments: Readonly<Record<string, unknown>> = {};
}

export class StopDto {
  /** Null: everywhere. */
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  @ValidateIf((_, value) => value !== null)
  @IsUUID()
  readonly workspaceId!: WorkspaceId | null;

  @ApiProperty({ maxLength: 500 })
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  readonly reason!: string;
}

export class ReleaseDto {
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  @ValidateIf((_, value) => value !== null)
  @IsUUID()
  readonly workspaceId!: WorkspaceId | null;
}

export class BudgetDto {
  /** Null: no bound. */
  @ApiPropertyOptional({ type: Number, nullable: true })
  @MayBeAbsent()
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(1)
  readonly maxTokens?: number | null;

  @ApiPropertyOptional({ type: Number, nullable: true })
  @MayBeAbsent()
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(1)
  readonly maxMinutes?: number | null;
}
