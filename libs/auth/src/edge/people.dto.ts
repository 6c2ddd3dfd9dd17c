import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { ROLES, type PersonInfo, type Role, type Snapshot } from '#contracts';
import { MayBeAbsent } from '#platform';
import { MAX_NAME_INPUT, MAX_PASSWORD_INPUT } from './auth.dto.js';

export class CreatePersonDto {
  @ApiProperty({ example: 'Grace' })
  @IsString()
  @MaxLength(MAX_NAME_INPUT)
  readonly name!: string;

  @ApiProperty({ minLength: 12, format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;

  @ApiProperty({ enum: ROLES, isArray: true })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ROLES.length)
  @IsIn(ROLES, { each: true })
  readonly roles!: readonly Role[];
}

export class ChangePersonDto {
  @ApiPropertyOptional({ enum: ROLES, isArray: true })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ROLES.length)
  @IsIn(ROLES, { each: true })
  readonly roles?: readonly Role[];

  /** True ends their sessions and tokens at once. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly disabled?: boolean;
}

export class ResetPasswordDto {
  @ApiProperty({ minLength: 12, format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;
}

export class PersonDto implements PersonInfo {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: PersonInfo['id'];
  @ApiProperty()
  readonly name: string;
  @ApiProperty({ enum: ROLES, isArray: true })
  readonly roles: readonly Role[];
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly disabledAt: number | null;

  constructor(person: PersonInfo) {
    this.id = person.id;
    this.name = person.name;
    this.roles = person.roles;
    this.createdAt = person.createdAt;
    this.disabledAt = person.disabledAt;
  }
}

export class PeopleDto implements Snapshot<PersonInfo> {
  @ApiProperty({ type: PersonDto, isArray: true })
  readonly items: readonly PersonDto[];
  @ApiProperty({ description: 'Follow events after this number.' })
  readonly seq: number;

  constructor({ items, seq }: Snapshot<PersonInfo>) {
    this.items = items.map((person) => new PersonDto(person));
    this.seq = seq;
  }
}
