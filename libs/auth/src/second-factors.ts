import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FactorsInfo, Principal, PrincipalId } from '#contracts';
import { AppError, Clock, SecretBox, unwrap, type Tx } from '#platform';
import { AdminChanges, type AdminAct } from './admin-changes.js';
import { checkAdministrator } from './core/grants.js';
import { RECOVERY_BYTES, RECOVERY_CODES, recoveryCodeFrom, recoveryHash } from './core/recovery-codes.js';
import { base32, otpauthUrl, stepOfCode, TOTP_SECRET_BYTES } from './core/totp.js';
import type { Factor } from './core/principals.js';
import { moved } from './people.js';
import { ConsoleSessionRepository, FactorRepository, PasskeyChecks, PersonRepository, TicketRepository } from './ports.js';

/** A new secret for an authenticator; it counts from its first right code on. */
export interface OfferedTotp {
  readonly secret: string;
  readonly url: string;
}

/** Owner of second factors: time-based codes, codes for the day when the phone is lost, and what a person has. */
@Injectable()
export class SecondFactors {
  readonly #recoveryKey: Buffer;

  constructor(
    private readonly factors: FactorRepository,
    private readonly people: PersonRepository,
    private readonly sessions: ConsoleSessionRepository,
    private readonly tickets: TicketRepository,
    private readonly passkeys: PasskeyChecks,
    private readonly admin: AdminChanges,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {
    this.#recoveryKey = box.derive('auth/recovery-codes');
  }

  async list(personId: PrincipalId): Promise<FactorsInfo> {
    const [totp, passkeys, recoveryCodes] = await Promise.all([
      this.factors.totp(personId),
      this.factors.passkeys(personId),
      this.factors.countRecoveryCodes(personId),
    ]);
    return {
      totp: totp?.confirmedAt == null ? null : { since: totp.confirmedAt },
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })),
      recoveryCodes,
      passkeysPossible: this.passkeys.isPossible,
    };
  }

  /** A secret that is shown once. Nothing changes for the person before a code of it was right. */
  async offerTotp({ id, name }: Principal): Promise<OfferedTotp> {
    const secret = randomBytes(TOTP_SECRET_BYTES);
    const sealed = this.box.seal(secret.toString('base64'));
    const isOffered = await this.admin.quietly((tx) => this.factors.offerTotp(tx, id, sealed, this.clock.now()));
    if (!isOffered) throw new AppError('INPUT_INVALID', 'An authenticator is set up already; remove it first', { path: 'totp' });
    return { secret: base32(secret), url: otpauthUrl(secret, name) };
  }

  /** The first right code puts it in force; other sessions end. New recovery codes, where there were none. */
  async confirmTotp(by: Principal, sessionHash: string, code: string): Promise<readonly string[]> {
    const totp = await this.factors.totp(by.id);
    const step = totp && totp.confirmedAt === null ? this.#stepOf(totp, code) : undefined;
    if (step === undefined) throw wrongCode();
    const codes = await this.freshCodesFor(by.id);
    const isMade = await this.admin.make(by, async (tx) => {
      if (!(await this.factors.useTotp(tx, by.id, step, this.clock.now()))) return null;
      return this.enrolled(tx, by, 'totp', { sessionHash, codes });
    });
    if (!isMade) throw wrongCode();
    return codes;
  }

  async removeTotp(by: Principal): Promise<void> {
    const isMade = await this.admin.make(by, async (tx) =>
      (await this.factors.removeTotp(tx, by.id)) ? this.removed(tx, by, 'totp') : null,
    );
    if (!isMade) throw new AppError('SECOND_FACTOR_NOT_FOUND', 'No authenticator is set up', {});
  }

  /** New codes; the old ones are worth nothing from now on. */
  async renewRecoveryCodes(by: Principal): Promise<readonly string[]> {
    if ((await this.people.factorsOf(by.id)).length === 0) {
      throw new AppError('SECOND_FACTOR_NOT_FOUND', 'Recovery codes stand in for a second factor; set one up first', {});
    }
    const codes = newCodes();
    await this.admin.make(by, async (tx) => {
      await this.#keep(tx, by.id, codes);
      const details = { person_id: by.id, name: by.name };
      return { action: 'person.recovery_codes_renewed', did: 'made new recovery codes', details, changes: [moved(by.id)] };
    });
    return codes;
  }

  /** For somebody who has lost them all. Their sessions end; they sign in with their password alone, once more. */
  async removeAllOf(by: Principal, id: PrincipalId): Promise<void> {
    unwrap(checkAdministrator(by));
    if (by.id === id || by.personId === id) throw new AppError('INPUT_INVALID', 'Your own are removed in your account', { path: 'id' });
    const person = await this.people.find(id);
    if (!person) throw new AppError('PERSON_NOT_FOUND', 'No such person', { personId: id });
    await this.admin.make(by, async (tx) => {
      const before = await this.people.factorsOf(id, tx);
      if (before.length === 0) return null;
      await this.factors.removeAll(tx, id);
      await this.people.setFactors(tx, id, []);
      await this.sessions.removeAllOf(id, { tx });
      await this.tickets.removeAllOf(tx, id);
      const details = { person_id: id, name: person.name, before: { factors: before }, after: { factors: [] } };
      return { action: 'person.factors_removed', did: `removed the second factors of ${person.name}`, details, changes: [moved(id)] };
    });
  }

  /** True exactly once per code: of two that come at once, one counts. */
  async useTotp(personId: PrincipalId, code: string): Promise<boolean> {
    const totp = await this.factors.totp(personId);
    const step = totp && totp.confirmedAt !== null ? this.#stepOf(totp, code) : undefined;
    return step !== undefined && this.admin.quietly((tx) => this.factors.useTotp(tx, personId, step, null));
  }

  useRecoveryCode(personId: PrincipalId, code: string): Promise<boolean> {
    const hash = recoveryHash(this.#recoveryKey, personId, code);
    return this.admin.quietly((tx) => this.factors.useRecoveryCode(tx, personId, hash));
  }

  /** Codes to go with a first factor; none where there are some already. */
  async freshCodesFor(personId: PrincipalId): Promise<readonly string[]> {
    return (await this.factors.countRecoveryCodes(personId)) > 0 ? [] : newCodes();
  }

  /** Written with a new factor of any kind, in its transaction. */
  async enrolled(
    tx: Tx,
    by: Principal,
    factor: Factor,
    { sessionHash, codes }: { readonly sessionHash: string; readonly codes: readonly string[] },
  ): Promise<AdminAct> {
    const before = await this.people.factorsOf(by.id, tx);
    const after = before.includes(factor) ? before : [...before, factor];
    await this.people.setFactors(tx, by.id, after);
    if (codes.length > 0) await this.#keep(tx, by.id, codes);
    // What was opened with a password alone ends.
    if (before.length === 0) await this.sessions.removeAllOf(by.id, { tx, except: sessionHash });
    const details = { person_id: by.id, name: by.name, before: { factors: before }, after: { factors: after } };
    return { action: 'person.factor_added', did: `set up a second factor (${factor})`, details, changes: [moved(by.id)] };
  }

  /** Written with a factor of any kind that went, in its transaction. Without any factor, recovery codes are worth nothing. */
  async removed(tx: Tx, by: Principal, factor: Factor): Promise<AdminAct> {
    const before = await this.people.factorsOf(by.id, tx);
    const isLeft = factor === 'passkey' && (await this.factors.passkeys(by.id, tx)).length > 0;
    const after = isLeft ? before : before.filter((one) => one !== factor);
    await this.people.setFactors(tx, by.id, after);
    if (after.length === 0) await this.factors.replaceRecoveryCodes(tx, by.id, []);
    const details = { person_id: by.id, name: by.name, before: { factors: before }, after: { factors: after } };
    return { action: 'person.factor_removed', did: `removed a second factor (${factor})`, details, changes: [moved(by.id)] };
  }

  #stepOf({ sealed, usedStep }: { readonly sealed: string; readonly usedStep: number }, code: string): number | undefined {
    return stepOfCode(Buffer.from(this.box.open(sealed), 'base64'), code, this.clock.now(), usedStep);
  }

  #keep(tx: Tx, personId: PrincipalId, codes: readonly string[]): Promise<void> {
    const hashes = codes.map((code) => recoveryHash(this.#recoveryKey, personId, code));
    return this.factors.replaceRecoveryCodes(tx, personId, hashes);
  }
}

function newCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => recoveryCodeFrom(randomBytes(RECOVERY_BYTES)));
}

function wrongCode(): AppError {
  return new AppError('PROOF_INVALID', 'This code is wrong, or was used already', { path: 'code' });
}
