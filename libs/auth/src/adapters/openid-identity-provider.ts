import { Injectable, Logger } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import { AppError, Egress } from '#platform';
import type { Claims } from '../core/sso-rules.js';
import { IdentityProvider, type BegunSignIn } from '../ports.js';
import { SsoConfig, type SsoSettings } from '../sso.config.js';
import { egressFetch } from './egress-fetch.js';

const MAX_ANSWER_BYTES = 262_144;
const TIMEOUT_MS = 10_000;
const KNOWN_MS = 60 * 60_000;

type Library = typeof import('openid-client');
/** The library marks this so that nobody takes it by mistake; here the way out decides where plain http goes. */
interface Plain {
  readonly allowInsecureRequests: (config: Configuration) => void;
}

/** The provider over OpenID Connect, through the guarded way out. What it refuses is told to the log, not to the browser. */
@Injectable()
export class OpenidIdentityProvider extends IdentityProvider {
  readonly #log = new Logger(OpenidIdentityProvider.name);
  #known: { readonly found: Promise<Configuration>; readonly until: number } | undefined;

  constructor(
    private readonly egress: Egress,
    private readonly config: SsoConfig,
  ) {
    super();
  }

  override async begin(redirectUri: string): Promise<BegunSignIn & { readonly url: string }> {
    return this.#attempt(async (library) => {
      const verifier = library.randomPKCECodeVerifier();
      const begun = { state: library.randomState(), nonce: library.randomNonce(), verifier, redirectUri };
      const url = library.buildAuthorizationUrl(await this.#provider(library), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { ...begun, url: url.href };
    });
  }

  override async finish(answer: URL, { state, nonce, verifier }: BegunSignIn): Promise<Claims> {
    return this.#attempt(async (library) => {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const claims = (await library.authorizationCodeGrant(await this.#provider(library), answer, checks)).claims();
      if (!claims) throw new Error('The provider sent no identity');
      const { iss: issuer, sub: subject } = claims;
      return {
        issuer,
        subject,
        email: text(claims['email']),
        isEmailVerified: claims['email_verified'] === true,
        name: text(claims['preferred_username']) ?? text(claims['name']),
        all: claims,
      };
    });
  }

  async #attempt<T>(work: (library: Library) => Promise<T>): Promise<T> {
    const library = await import('openid-client');
    try {
      return await work(library);
    } catch (error) {
      this.#log.warn('A single sign-on failed', error);
      throw new AppError('SSO_FAILED', 'The provider did not confirm this sign-in', {}, { cause: error });
    }
  }

  #provider(library: Library): Promise<Configuration> {
    const now = performance.now();
    if (this.#known && now < this.#known.until) return this.#known.found;
    const found = this.#discover(library);
    this.#known = { found, until: now + KNOWN_MS };
    found.catch(() => (this.#known = undefined)); // the next one asks again
    return found;
  }

  async #discover(library: Library): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings();
    const fetched = egressFetch(this.egress, { maxBytes: MAX_ANSWER_BYTES, timeoutMs: TIMEOUT_MS });
    const authentication = clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret);
    return library.discovery(issuer, clientId, undefined, authentication, {
      [library.customFetch]: fetched as never, // the library's own words for the same function
      // The way out lets plain http go to hosts only that the operator has named.
      execute: issuer.protocol === 'http:' ? [(library as Plain).allowInsecureRequests] : [],
    });
  }

  #settings(): SsoSettings {
    if (this.config.settings) return this.config.settings;
    throw new Error('There is no provider');
  }
}

function text(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined;
}
