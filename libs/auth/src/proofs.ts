import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { PendingSignIn, PersonInfo, PrincipalId, ProofMethod } from '#contracts';
import { AppError, Clock, ScheduledWork, unwrap } from '#platform';
import { hashOf, SECRET_BYTES, secretFrom } from './core/credentials.js';
import { readName } from './core/names.js';
import { methodsOf } from './core/principals.js';
import { LoginThrottle } from './login-throttle.js';
import { Passkeys } from './passkeys.js';
import { Passwords } from './passwords.js';
import { PersonRepository, TicketRepository, type PasskeyAnswer } from './ports.js';
import { SecondFactors } from './second-factors.js';

const TICKET_MS = 5 * 60_000;
const TRIES = 5;
const CLEAN_EVERY_MS = 10 * 60_000;

/** Something that only this person can say. */
export type Proof =
  | { readonly method: 'password'; readonly password: string }
  | { readonly method: 'totp' | 'recovery'; readonly code: string }
  | { readonly method: 'passkey'; readonly response: PasskeyAnswer };

/** Owner of "it is really them": at sign-in as the second step, later before what is dangerous. */
@Injectable()
export class Proofs implements OnModuleInit {
  constructor(
    private readonly people: PersonRepository,
    private readonly tickets: TicketRepository,
    private readonly passwords: Passwords,
    private readonly factors: SecondFactors,
    private readonly passkeys: Passkeys,
    private readonly throttle: LoginThrottle,
    private readonly work: ScheduledWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.work.every(CLEAN_EVERY_MS, 'Removing tickets that are over', () => this.tickets.removeEnded(this.clock.now()));
  }

  /** After a right password: what is still needed, or undefined. */
  async pending(personId: PrincipalId): Promise<PendingSignIn | undefined> {
    const factors = await this.people.factorsOf(personId);
    if (factors.length === 0) return undefined;
    const ticket = secretFrom(randomBytes(SECRET_BYTES));
    await this.tickets.insert(hashOf(ticket), 'sign_in', personId, TRIES, this.clock.now() + TICKET_MS);
    return { ticket, methods: methodsOf(factors) };
  }

  /** Ends a sign-in with its second step. The ticket is worth nothing afterwards. */
  async complete(ticket: string, proof: Proof, address: string): Promise<PrincipalId> {
    const personId = await this.tickets.take(hashOf(ticket), 'sign_in', this.clock.now());
    const person = personId && (await this.people.find(personId));
    if (!person || person.disabledAt !== null) throw over();
    await this.#check(person, proof, { kind: 'passkey_sign_in', address });
    await this.tickets.remove(hashOf(ticket));
    return person.id;
  }

  async signInOptions(ticket: string): Promise<object> {
    const personId = await this.tickets.look(hashOf(ticket), 'sign_in', this.clock.now());
    if (!personId) throw over();
    return this.passkeys.options(personId, 'passkey_sign_in');
  }

  options(personId: PrincipalId): Promise<object> {
    return this.passkeys.options(personId, 'passkey_proof');
  }

  /** A new proof inside a session. */
  async renew(personId: PrincipalId, proof: Proof, address: string): Promise<void> {
    const person = await this.people.find(personId);
    if (!person) throw over();
    await this.#check(person, proof, { kind: 'passkey_proof', address });
  }

  async #check(
    person: PersonInfo,
    proof: Proof,
    { kind, address }: { readonly kind: 'passkey_sign_in' | 'passkey_proof'; readonly address: string },
  ): Promise<void> {
    const methods = methodsOf(await this.people.factorsOf(person.id));
    const isRight = methods.includes(proof.method) && (await this.#isRight(person, proof, kind, address));
    if (!isRight) throw new AppError('PROOF_INVALID', WRONG[proof.method], { methods });
  }

  async #isRight(person: PersonInfo, proof: Proof, kind: 'passkey_sign_in' | 'passkey_proof', address: string): Promise<boolean> {
    switch (proof.method) {
      case 'password': {
        const nameKey = unwrap(readName(person.name)).key;
        const attempt = this.throttle.begin(address, nameKey);
        const fits = await this.passwords.fits(proof.password, (await this.people.findLogin(nameKey))?.passwordHash);
        if (fits) attempt.succeeded();
        return fits;
      }
      case 'totp':
      case 'recovery': {
        const attempt = this.throttle.beginCode(person.id);
        const use =
          proof.method === 'totp' ? this.factors.useTotp(person.id, proof.code) : this.factors.useRecoveryCode(person.id, proof.code);
        const isRight = await use;
        if (isRight) attempt.succeeded();
        return isRight;
      }
      case 'passkey':
        return this.passkeys.use(person.id, kind, proof.response);
    }
  }
}

const WRONG: Readonly<Record<ProofMethod, string>> = {
  password: 'The password is wrong',
  totp: 'This code is wrong, or was used already',
  recovery: 'This code is wrong, or was used already',
  passkey: 'This passkey proves nothing here',
};

function over(): AppError {
  return new AppError('PROOF_INVALID', 'This sign-in is over; begin again with name and password', { methods: [], isOver: true });
}
