import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsIn, IsUUID } from 'class-validator';
import {
  SCOPES,
  type ConsentClient,
  type ConsentEnd,
  type ConsentRequest,
  type ConsentScope,
  type Scope,
  type WorkspaceId,
} from '#contracts';
import { MayBeAbsent } from '#platform';

const MAX_WORKSPACES = 200;

export class GiveConsentDto {
  @ApiProperty({ enum: SCOPES, isArray: true })
  @IsIn(SCOPES, { each: true })
  @ArrayUnique()
  readonly scopes!: Scope[];

  @ApiPropertyOptional({ type: String, isArray: true, nullable: true, description: 'Left out: all' })
  @MayBeAbsent()
  @IsUUID(undefined, { each: true })
  @ArrayMaxSize(MAX_WORKSPACES)
  readonly workspaces?: WorkspaceId[];
}

export class ConsentScopeDto implements ConsentScope {
  @ApiProperty({ enum: SCOPES })
  readonly scope!: Scope;
  @ApiProperty()
  readonly isGrantable!: boolean;
  @ApiProperty()
  readonly isPreset!: boolean;
}

export class ConsentClientDto implements ConsentClient {
  @ApiProperty()
  readonly id!: string;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty()
  readonly host!: string;
  @ApiProperty({ type: String, nullable: true })
  readonly documentHost!: string | null;
  @ApiProperty()
  readonly isLocal!: boolean;
}

export class ConsentRequestDto implements ConsentRequest {
  @ApiProperty({ type: ConsentClientDto })
  readonly client!: ConsentClientDto;
  @ApiProperty()
  readonly resource!: string;
  @ApiProperty({ type: ConsentScopeDto, isArray: true })
  readonly scopes!: readonly ConsentScopeDto[];

  constructor(request: ConsentRequest) {
    Object.assign(this, request);
  }
}

export class ConsentEndDto implements ConsentEnd {
  @ApiProperty()
  readonly url!: string;

  constructor(end: ConsentEnd) {
    Object.assign(this, end);
  }
}
