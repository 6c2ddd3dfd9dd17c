import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import type { Delegation, PersonName, PrincipalId, Snapshot, WorkspaceId } from '#contracts';
import { MayBeAbsent } from '#platform';

export class HandOverDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'The person who may decide in your place.' })
  @IsUUID()
  readonly to!: PrincipalId;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'Only there; absent: wherever you may decide.' })
  @MayBeAbsent()
  @IsUUID()
  readonly workspaceId?: WorkspaceId;

  @ApiProperty({ description: 'The end, in milliseconds since 1970; at most 90 days from now.' })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly until!: number;

  @ApiPropertyOptional({ maxLength: 500 })
  @MayBeAbsent()
  @IsString()
  @MaxLength(500)
  readonly reason?: string;
}

export class DelegationsQuery {
  @IsIn(['active', 'all'])
  readonly state: 'active' | 'all' = 'active';
}

export class PersonNameDto implements PersonName {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: PrincipalId;
  @ApiProperty()
  readonly name: string;

  constructor({ id, name }: PersonName) {
    this.id = id;
    this.name = name;
  }
}

export class DelegationDto implements Delegation {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: Delegation['id'];
  @ApiProperty({ type: String, format: 'uuid' })
  readonly from: PrincipalId;
  @ApiProperty()
  readonly fromName: string;
  @ApiProperty({ type: String, format: 'uuid' })
  readonly to: PrincipalId;
  @ApiProperty()
  readonly toName: string;
  @ApiProperty({ type: String, nullable: true })
  readonly workspaceId: WorkspaceId | null;
  @ApiProperty()
  readonly reason: string;
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty()
  readonly until: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly revokedAt: number | null;
  @ApiProperty({ type: String, nullable: true })
  readonly revokedByName: string | null;

  constructor(delegation: Delegation) {
    this.id = delegation.id;
    this.from = delegation.from;
    this.fromName = delegation.fromName;
    this.to = delegation.to;
    this.toName = delegation.toName;
    this.workspaceId = delegation.workspaceId;
    this.reason = delegation.reason;
    this.createdAt = delegation.createdAt;
    this.until = delegation.until;
    this.revokedAt = delegation.revokedAt;
    this.revokedByName = delegation.revokedByName;
  }
}

export class DelegationsDto implements Snapshot<Delegation> {
  @ApiProperty({ type: [DelegationDto] })
  readonly items: readonly DelegationDto[];
  @ApiProperty()
  readonly seq: number;

  constructor({ items, seq }: Snapshot<Delegation>) {
    this.items = items.map((one) => new DelegationDto(one));
    this.seq = seq;
  }
}
