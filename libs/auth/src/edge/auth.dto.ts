import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';
import type { AuthState, Principal } from '#contracts';

/** Longer than any name or password that is accepted; the rules themselves stand in core. */
export const MAX_NAME_INPUT = 256;
export const MAX_PASSWORD_INPUT = 1_024;

export class WelcomeDto {
  /** What follows `#token=` in the link. */
  @ApiProperty()
  @Matches(/^[A-Za-z0-9_-]{1,128}$/)
  readonly token!: string;

  @ApiProperty({ example: 'Ada' })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_NAME_INPUT)
  readonly name!: string;

  @ApiProperty({ minLength: 12, format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;
}

export class LoginDto {
  @ApiProperty()
  @IsString()
  @MaxLength(MAX_NAME_INPUT)
  readonly name!: string;

  @ApiProperty({ format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;
}

export class ChangePasswordDto {
  @ApiProperty({ format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly current!: string;

  @ApiProperty({ minLength: 12, format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;
}

/** What REST answers about the caller. `implements` keeps it in step with the contract. */
export class AuthStateDto implements AuthState {
  @ApiProperty({ description: 'False until the one-use link has made the first owner.' })
  readonly hasOwner: boolean;

  @ApiProperty({ type: Object, nullable: true })
  readonly me: Principal | null;

  @ApiProperty({ type: String, nullable: true, description: 'Send as x-csrf-token on every write with the cookie.' })
  readonly csrfToken: string | null;

  constructor({ hasOwner, me, csrfToken }: AuthState) {
    this.hasOwner = hasOwner;
    this.me = me;
    this.csrfToken = csrfToken;
  }
}
