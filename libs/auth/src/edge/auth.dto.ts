import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, IsString, Matches, MaxLength, MinLength, ValidateIf } from 'class-validator';
import { PROOF_METHODS, type AuthState, type PendingSignIn, type Principal, type ProofMethod } from '#contracts';
import type { Proof } from '../proofs.js';

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

/** Longer than any code or ticket. */
const MAX_CODE_INPUT = 64;
const SECRET = /^[A-Za-z0-9_-]{1,128}$/;

export class TicketDto {
  /** From the answer to the password. */
  @ApiProperty()
  @Matches(SECRET)
  readonly ticket!: string;
}

/** One proof; which of the other fields it needs follows from the method. */
export class StepUpDto {
  @ApiProperty({ enum: PROOF_METHODS })
  @IsIn(PROOF_METHODS)
  readonly method!: ProofMethod;

  @ApiPropertyOptional({ format: 'password' })
  @ValidateIf(({ method }: StepUpDto) => method === 'password')
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password?: string;

  @ApiPropertyOptional({ description: 'Of the authenticator, or a recovery code.' })
  @ValidateIf(({ method }: StepUpDto) => method === 'totp' || method === 'recovery')
  @IsString()
  @MaxLength(MAX_CODE_INPUT)
  readonly code?: string;

  @ApiPropertyOptional({ type: Object, description: 'What the browser answered about a passkey.' })
  @ValidateIf(({ method }: StepUpDto) => method === 'passkey')
  @IsObject()
  readonly response?: Record<string, unknown>;
}

export class SecondStepDto extends StepUpDto {
  @ApiProperty()
  @Matches(SECRET)
  readonly ticket!: string;
}

/** Fields that the method does not need are not looked at. */
export function toProof({ method, password = '', code = '', response = {} }: StepUpDto): Proof {
  switch (method) {
    case 'password':
      return { method, password };
    case 'totp':
    case 'recovery':
      return { method, code };
    case 'passkey':
      return { method, response };
  }
}

export class LinkDto {
  /** What follows `#token=` in the link. */
  @ApiProperty()
  @Matches(SECRET)
  readonly token!: string;
}

export class UseResetDto extends LinkDto {
  @ApiProperty({ minLength: 12, format: 'password' })
  @IsString()
  @MaxLength(MAX_PASSWORD_INPUT)
  readonly password!: string;
}

export class CodeDto {
  @ApiProperty({ example: '123456' })
  @IsString()
  @MaxLength(MAX_CODE_INPUT)
  readonly code!: string;
}

export class NewPasskeyDto {
  @ApiProperty({ example: 'Laptop' })
  @IsString()
  @MaxLength(MAX_NAME_INPUT)
  readonly name!: string;

  @ApiProperty({ type: Object, description: 'What the browser answered.' })
  @IsObject()
  readonly response!: Record<string, unknown>;
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

  @ApiPropertyOptional({ type: Object, description: 'After a right password: the ticket for the second step.' })
  readonly secondFactor?: PendingSignIn;

  constructor({ hasOwner, me, csrfToken, secondFactor }: AuthState) {
    this.hasOwner = hasOwner;
    this.me = me;
    this.csrfToken = csrfToken;
    if (secondFactor) this.secondFactor = secondFactor;
  }
}
