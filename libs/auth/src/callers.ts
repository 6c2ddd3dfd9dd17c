import { Injectable } from '@nestjs/common';
import type { Channel, Principal } from '#contracts';
import { AppError, Clock } from '#platform';
import { ConsoleSessions } from './console-sessions.js';
import { hashOf, isBareSecret, isSameHash, readBearer } from './core/credentials.js';
import { toTokenPrincipal, type Doorless } from './core/principals.js';
import { KnownCallers, type Known } from './known-callers.js';
import { LastSeen } from './last-seen.js';
import { TokenRepository } from './ports.js';

/** What a request brings to say who it is. */
export interface Credentials {
  readonly authorization: string | undefined;
  /** Value of the session cookie; never read on doors for machines. */
  readonly cookie: string | undefined;
}

export interface Identified {
  readonly principal: Principal;
  /** SHA-256 of the console session; null for a token. */
  readonly sessionHash: string | null;
  /** Requests a minute of a token that has a rate of its own. */
  readonly ratePerMinute: number | null;
}

/** Which credential a principal came with, so that it can be looked at again while a stream is open. */
interface Credential {
  readonly hash: string;
  readonly isSession: boolean;
}

/** A symbol goes along when a principal is copied, and never into JSON. */
const CREDENTIAL = Symbol('credential');
type Entered = Principal & { readonly [CREDENTIAL]?: Credential };

/** Owns the answer to "who is calling", for both kinds of credential. */
@Injectable()
export class Callers {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly sessions: ConsoleSessions,
    private readonly known: KnownCallers,
    private readonly lastSeen: LastSeen,
    private readonly clock: Clock,
  ) {}

  /** Undefined: nothing was presented. A header that is presented is the one that counts, right or wrong. */
  async identify({ authorization, cookie }: Credentials, channel: Channel): Promise<Identified | undefined> {
    const presented = readBearer(authorization);
    switch (presented.kind) {
      case 'token':
        return { ...(await this.#byToken(hashOf(presented.secret), channel)), sessionHash: null };
      case 'unreadable':
        throw new AppError('CREDENTIALS_INVALID', 'The Authorization header holds no Countersign token; send "Bearer csn_…"');
      case 'nothing':
        return cookie === undefined ? undefined : this.bySession(cookie);
    }
  }

  /** Undefined: the session is over. */
  async bySession(cookie: string): Promise<Identified | undefined> {
    if (!isBareSecret(cookie)) return undefined;
    const hash = hashOf(cookie);
    const person = await this.known.recall(hash, () => this.sessions.find(hash));
    if (!person || this.clock.now() >= person.expiresAt) return undefined;
    this.lastSeen.noteSession(hash);
    return { principal: this.#enter(person, 'console', { hash, isSession: true }), sessionHash: hash, ratePerMinute: null };
  }

  /** The same caller with the rights it has now; undefined when its credential is no longer in force. Believes no memory. */
  async recheck(principal: Entered): Promise<Principal | undefined> {
    const credential = principal[CREDENTIAL];
    if (!credential) return undefined;
    const { hash, isSession } = credential;
    const found: Known | undefined = isSession ? await this.sessions.find(hash) : await this.#findToken(hash);
    if (!found || this.clock.now() >= found.expiresAt) return undefined;
    const { ratePerMinute: _, ...now } = found;
    return this.#enter(now, principal.channel, credential);
  }

  /** Names the sign-in or token that a caller came with, without giving it away. */
  credentialOf(principal: Entered): string | undefined {
    return principal[CREDENTIAL]?.hash;
  }

  hasCredential(principal: Entered): boolean {
    return principal[CREDENTIAL] !== undefined;
  }

  async #byToken(hash: string, channel: Channel): Promise<Pick<Identified, 'principal' | 'ratePerMinute'>> {
    const token = await this.known.recall(hash, () => this.#findToken(hash));
    if (!token) throw new AppError('CREDENTIALS_INVALID', 'This token is unknown or revoked');
    if (this.clock.now() >= token.expiresAt) throw new AppError('TOKEN_EXPIRED', 'This token has expired; make a new one');
    this.lastSeen.noteToken(token.id);
    const { ratePerMinute = null, ...caller } = token;
    return { principal: this.#enter(caller, channel, { hash, isSession: false }), ratePerMinute };
  }

  /** A miss does what a hit does: one look-up, one comparison. */
  async #findToken(hash: string): Promise<Known | undefined> {
    const held = await this.tokens.findByHash(hash);
    if (!isSameHash(held?.hash, hash) || !held) return undefined;
    const caller = toTokenPrincipal(held.token, held.person);
    const { ratePerMinute } = held.token;
    return caller && (ratePerMinute === null ? caller : { ...caller, ratePerMinute });
  }

  #enter(caller: Doorless, channel: Channel, credential: Credential): Entered {
    return { ...caller, channel, [CREDENTIAL]: credential };
  }
}
