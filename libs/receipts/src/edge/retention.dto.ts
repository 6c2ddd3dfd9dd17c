import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsUUID, Max, Min } from 'class-validator';
import { RETENTION_SUBJECTS, type RetentionRule, type RetentionSubject } from '#contracts';
import { MayBeAbsent } from '#platform';

export class AddRuleDto {
  /** Receipts of a kind, output of runs, or plans with their asks. */
  @IsIn(RETENTION_SUBJECTS)
  readonly subject!: RetentionSubject;

  /** Only of this workspace; of every one without it. */
  @MayBeAbsent()
  @IsUUID()
  readonly workspaceId?: string;

  @IsInt()
  @Min(1)
  @Max(36_500)
  readonly keepDays!: number;
}

export class RetentionRuleDto implements RetentionRule {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;
  @ApiProperty({ enum: RETENTION_SUBJECTS })
  readonly subject: RetentionSubject;
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  readonly workspaceId: string | null;
  @ApiProperty()
  readonly keepDays: number;
  @ApiProperty()
  readonly createdAt: number;

  constructor({ id, subject, workspaceId, keepDays, createdAt }: RetentionRule) {
    this.id = id;
    this.subject = subject;
    this.workspaceId = workspaceId;
    this.keepDays = keepDays;
    this.createdAt = createdAt;
  }
}
