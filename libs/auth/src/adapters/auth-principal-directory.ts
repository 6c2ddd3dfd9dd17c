import { Injectable } from '@nestjs/common';
import type { Principal, PrincipalId } from '#contracts';
import { Clock, PrincipalDirectory } from '#platform';
import { Callers } from '../callers.js';
import { toPersonPrincipal, toTokenPrincipal } from '../core/principals.js';
import { LocalCallers } from '../local-callers.js';
import { PersonRepository, TokenRepository } from '../ports.js';

const MAX_NAMES = 1_000;

/** Fills platform's port: what people, tokens and local callers are now, and what they are called. */
@Injectable()
export class AuthPrincipalDirectory extends PrincipalDirectory {
  /** Names never change, so they may be kept. */
  readonly #names = new Map<PrincipalId, string>();

  constructor(
    private readonly people: PersonRepository,
    private readonly tokens: TokenRepository,
    private readonly callers: Callers,
    private readonly local: LocalCallers,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async find(id: PrincipalId): Promise<Principal | undefined> {
    if (id === this.local.id) return this.local.localPrincipal();
    const person = await this.people.find(id);
    if (person) {
      const caller = toPersonPrincipal(person, Number.MAX_SAFE_INTEGER);
      return caller && { ...caller, channel: 'console' };
    }
    const token = await this.tokens.find(id);
    if (!token) return undefined;
    const owner = token.personId === null ? null : await this.people.find(token.personId);
    const caller = owner === undefined ? undefined : toTokenPrincipal(token, owner);
    return caller && this.clock.now() < caller.expiresAt ? { ...caller, channel: 'rest' } : undefined;
  }

  override async nameOf(id: PrincipalId): Promise<string> {
    if (id === this.local.id) return this.local.localPrincipal().name;
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = (await this.people.find(id))?.name ?? (await this.tokens.find(id))?.name;
    if (name === undefined) return 'unknown';
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(id, name);
    return name;
  }

  /** By the very credential that the caller came with: a session that ended is over, though its person is not. */
  override recheck(principal: Principal): Promise<Principal | undefined> {
    return this.callers.hasCredential(principal) ? this.callers.recheck(principal) : this.find(principal.id);
  }

  override signInOf(principal: Principal): string {
    return this.callers.credentialOf(principal) ?? super.signInOf(principal);
  }
}
