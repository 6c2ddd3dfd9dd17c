import { Injectable, Optional } from '@nestjs/common';
import type { Principal } from '#contracts';
import { AppError, Clock, isProvedLately, PrincipalDirectory, requireStepUp } from '#platform';

/** Asks for the fresh proof that policy may want with a vote: of a person at the console, with a second factor. */
@Injectable()
export class Proofs {
  constructor(
    private readonly clock: Clock,
    @Optional() private readonly directory?: PrincipalDirectory,
  ) {}

  /** When the caller has proved it. A password alone is no second factor. */
  async require(principal: Principal): Promise<number> {
    // What is known of a sign-in may be some seconds older than a proof that was made at another server.
    const isOld = principal.proof !== undefined && !isProvedLately(principal, this.clock.now());
    const { proof } = (isOld ? await this.directory?.recheck(principal) : undefined) ?? principal;
    if (proof !== undefined && !proof.methods.some((method) => method === 'totp' || method === 'passkey'))
      throw new AppError('SECOND_FACTOR_MISSING', 'Policy wants a second factor for this; set one up in your account first');
    requireStepUp({ ...(proof && { proof }) }, this.clock.now());
    return proof?.provedAt ?? 0; // without one the line before has thrown
  }
}
