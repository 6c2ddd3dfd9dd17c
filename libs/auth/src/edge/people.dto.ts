import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsString, isUUID, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { ROLES, type PersonInfo, type Role, type Snapshot, type WorkspaceRoles } from '#contracts';
import { MayBeAbsent } from '#platform';
import { MAX_NAME_INPUT, MAX_PASSWORD_INPUT } from './auth.dto.js';

const MAX_NOTE_INPUT = 256;
const MAX_INVITE_HOURS = 30 * 24;

/** Ids of workspaces, each with a list of roles. */
const IsWorkspaceRoles = (): PropertyDecorator =>
  ValidateBy({
    name: 'isWorkspaceRoles',
    validator: {
      validate: (value: unknown) => isWorkspaceRoles(value),
      defaultMessage: () => 'workspaceRoles holds a list of roles for each id of a workspace',
    },
  });

function isWorkspaceRoles(value: unknown): value is WorkspaceRoles {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([id, roles]) => isUUID(id) && Array.isArray(roles) && roles.every((role) => ROLES.some((known) => known === role)),
  );
}

const Roles = (): PropertyDecorator => (target, key) => {
  for (const decorate of [IsArray(), ArrayMaxSize(ROLES.length), IsIn(ROLES, { each: true })]) decorate(target, key);
};

export class CreatePersonDto {
  @ApiProperty({ example: 'Grace' })
  @IsString()
  @MaxLength(MAX_NAME_INPUT)
  readonly name!: string;

  @ApiProperty({ minLength: 12, format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;

  /** For all workspaces. */
  @ApiProperty({ enum: ROLES, isArray: true })
  @Roles()
  readonly roles!: readonly Role[];

  @ApiPropertyOptional({ type: Object, description: 'Roles in single workspaces, by the id of the workspace.' })
  @MayBeAbsent()
  @IsWorkspaceRoles()
  readonly workspaceRoles?: WorkspaceRoles;
}

export class ChangePersonDto {
  @ApiPropertyOptional({ enum: ROLES, isArray: true })
  @MayBeAbsent()
  @Roles()
  readonly roles?: readonly Role[];

  /** Takes the place of all that stand there. */
  @ApiPropertyOptional({ type: Object })
  @MayBeAbsent()
  @IsWorkspaceRoles()
  readonly workspaceRoles?: WorkspaceRoles;

  /** True ends their sessions and tokens at once. */
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsBoolean()
  readonly disabled?: boolean;
}

export class InviteDto {
  /** For all workspaces. */
  @ApiProperty({ enum: ROLES, isArray: true })
  @Roles()
  readonly roles!: readonly Role[];

  @ApiPropertyOptional({ type: Object, description: 'Roles in single workspaces, by the id of the workspace.' })
  @MayBeAbsent()
  @IsWorkspaceRoles()
  readonly workspaceRoles?: WorkspaceRoles;

  /** Who is meant, for the list. */
  @ApiPropertyOptional({ example: 'Grace of operations' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_NOTE_INPUT)
  readonly note?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: MAX_INVITE_HOURS, default: 72 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(MAX_INVITE_HOURS)
  readonly expiresInHours: number = 72;
}

export class ResetPasswordDto {
  @ApiProperty({ minLength: 12, format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;
}

export class SignInRulesDto {
  /** Whoever has one of these roles needs a second factor. */
  @ApiProperty({ enum: ROLES, isArray: true })
  @Roles()
  readonly secondFactorRoles!: readonly Role[];
}

export class PersonDto implements PersonInfo {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id: PersonInfo['id'];
  @ApiProperty()
  readonly name: string;
  @ApiProperty({ enum: ROLES, isArray: true })
  readonly roles: readonly Role[];
  @ApiProperty({ type: Object })
  readonly workspaceRoles: WorkspaceRoles;
  @ApiProperty()
  readonly hasSecondFactor: boolean;
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly disabledAt: number | null;

  constructor(person: PersonInfo) {
    this.id = person.id;
    this.name = person.name;
    this.roles = person.roles;
    this.workspaceRoles = person.workspaceRoles;
    this.hasSecondFactor = person.hasSecondFactor;
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
