import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { PlatformConfig } from '#platform';
import { passkeySiteOf } from '../core/passkey-site.js';
import { PasskeyChecks, type MadePasskey, type PasskeyAnswer, type StoredPasskey } from '../ports.js';

/** Large, and used by those who have passkeys only. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256, RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257];

/** Fills the port with SimpleWebAuthn. What it throws about an answer is a no. */
@Injectable()
export class SimplePasskeyChecks extends PasskeyChecks {
  readonly #site: { readonly rpId: string; readonly origin: string } | undefined;

  constructor({ publicUrl }: PlatformConfig) {
    super();
    this.#site = passkeySiteOf(publicUrl);
  }

  override get isPossible(): boolean {
    return this.#site !== undefined;
  }

  override async newOptions(name: string, known: readonly StoredPasskey[], challenge: Buffer): Promise<object> {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: 'Countersign',
      rpID: this.#known().rpId,
      userName: name,
      userDisplayName: name,
      challenge: new Uint8Array(challenge),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map(toDescriptor),
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    });
  }

  override async options(known: readonly StoredPasskey[], challenge: Buffer): Promise<object> {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID: this.#known().rpId,
      challenge: new Uint8Array(challenge),
      allowCredentials: known.map(toDescriptor),
      userVerification: 'preferred',
    });
  }

  override async made(answer: PasskeyAnswer, isOurs: (challenge: string) => Promise<boolean>): Promise<MadePasskey | undefined> {
    const { rpId, origin } = this.#known();
    const { verifyRegistrationResponse } = await library();
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: answer as unknown as RegistrationResponseJSON, // the library checks every field of it
        expectedChallenge: isOurs,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!verified) return undefined;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), uses: counter, transports: transports ?? [] };
    } catch {
      return undefined; // an answer that it cannot read is a wrong answer
    }
  }

  override async uses(
    answer: PasskeyAnswer,
    passkey: StoredPasskey,
    isOurs: (challenge: string) => Promise<boolean>,
  ): Promise<number | undefined> {
    const { rpId, origin } = this.#known();
    const { verifyAuthenticationResponse } = await library();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as unknown as AuthenticationResponseJSON, // the library checks every field of it
        expectedChallenge: isOurs,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: false,
        credential: { id: passkey.id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: passkey.uses },
      });
      return verified ? authenticationInfo.newCounter : undefined;
    } catch {
      return undefined; // an answer that it cannot read is a wrong answer
    }
  }

  #known(): { readonly rpId: string; readonly origin: string } {
    if (!this.#site) throw new Error('Passkeys were used at an address that is no name');
    return this.#site;
  }
}

function toDescriptor({ id, transports }: StoredPasskey): { readonly id: string; readonly transports: string[] } {
  return { id, transports: [...transports] };
}
