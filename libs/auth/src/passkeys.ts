import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal, PrincipalId } from '#contracts';
import { AppError, Clock, unwrap } from '#platform';
import { AdminChanges } from './admin-changes.js';
import { hashOf } from './core/credentials.js';
import { readName } from './core/names.js';
import { FactorRepository, PasskeyChecks, TicketRepository, type PasskeyAnswer, type TicketKind } from './ports.js';
import { SecondFactors } from './second-factors.js';

const CHALLENGE_BYTES = 32;
const CHALLENGE_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;

/** Owner of passkeys as second factors. A challenge is random, of one person, of one purpose, and signed once. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly factors: FactorRepository,
    private readonly tickets: TicketRepository,
    private readonly checks: PasskeyChecks,
    private readonly second: SecondFactors,
    private readonly admin: AdminChanges,
    private readonly clock: Clock,
  ) {}

  /** What a browser needs to make a passkey for this person. */
  async newOptions({ id, name }: Principal): Promise<object> {
    this.#assertPossible();
    return this.checks.newOptions(name, await this.factors.passkeys(id), await this.#challenge('passkey_new', id));
  }

  /** Keeps the passkey that a browser made. New recovery codes, where there were none. */
  async add(by: Principal, sessionHash: string, typed: string, answer: PasskeyAnswer): Promise<readonly string[]> {
    this.#assertPossible();
    const { name } = unwrap(readName(typed));
    if ((await this.factors.passkeys(by.id)).length >= MAX_PASSKEYS) {
      throw new AppError('INPUT_INVALID', `At most ${MAX_PASSKEYS} passkeys; remove one first`, { path: 'name' });
    }
    const made = await this.checks.made(answer, this.#isOurs('passkey_new', by.id));
    if (!made) throw invalid();
    const codes = await this.second.freshCodesFor(by.id);
    const isMade = await this.admin.make(by, async (tx) => {
      const passkey = { ...made, name, createdAt: this.clock.now(), lastUsedAt: null };
      if (!(await this.factors.addPasskey(tx, by.id, passkey))) return null;
      return this.second.enrolled(tx, by, 'passkey', { sessionHash, codes });
    });
    if (!isMade) throw invalid();
    return codes;
  }

  async remove(by: Principal, id: string): Promise<void> {
    const isMade = await this.admin.make(by, async (tx) => {
      return (await this.factors.removePasskey(tx, by.id, id)) ? this.second.removed(tx, by, 'passkey') : null;
    });
    if (!isMade) throw new AppError('SECOND_FACTOR_NOT_FOUND', 'No such passkey of yours', {});
  }

  /** What a browser needs to prove with a passkey that it is this person. */
  async options(personId: PrincipalId, kind: Exclude<TicketKind, 'sign_in' | 'passkey_new'>): Promise<object> {
    this.#assertPossible();
    const known = await this.factors.passkeys(personId);
    if (known.length === 0) throw new AppError('SECOND_FACTOR_NOT_FOUND', 'No passkey is set up', {});
    return this.checks.options(known, await this.#challenge(kind, personId));
  }

  /** True exactly once per challenge. */
  async use(personId: PrincipalId, kind: Exclude<TicketKind, 'sign_in' | 'passkey_new'>, answer: PasskeyAnswer): Promise<boolean> {
    const passkey = (await this.factors.passkeys(personId)).find(({ id }) => id === answer['id']);
    if (!passkey || !this.checks.isPossible) return false;
    const uses = await this.checks.uses(answer, passkey, this.#isOurs(kind, personId));
    if (uses === undefined) return false;
    return this.admin.quietly((tx) => this.factors.usePasskey(tx, passkey.id, passkey.uses, uses, this.clock.now()));
  }

  #isOurs(kind: TicketKind, personId: PrincipalId): (challenge: string) => Promise<boolean> {
    return async (challenge) => (await this.tickets.take(hashOf(challenge), kind, this.clock.now())) === personId;
  }

  async #challenge(kind: TicketKind, personId: PrincipalId): Promise<Buffer> {
    const challenge = randomBytes(CHALLENGE_BYTES);
    await this.tickets.insert(hashOf(challenge.toString('base64url')), kind, personId, 1, this.clock.now() + CHALLENGE_MS);
    return challenge;
  }

  #assertPossible(): void {
    if (this.checks.isPossible) return;
    throw new AppError('SECOND_FACTOR_NOT_FOUND', 'Passkeys need an address with a name and HTTPS; PUBLIC_URL sets it', {});
  }
}

function invalid(): AppError {
  return new AppError('PROOF_INVALID', 'This passkey proves nothing here; begin again', { path: 'response' });
}
