import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal, PrincipalId, SignInId, SignInInfo } from '#contracts';
import { AppError, Clock, EventFeed, newId, ScheduledWork, SecretBox } from '#platform';
import { csrfTokenOf, hashOf, isCsrfToken, SECRET_BYTES, secretFrom } from './core/credentials.js';
import { methodsOf, mustEnrol, toPersonPrincipal, type Doorless } from './core/principals.js';
import { KnownCallers } from './known-callers.js';
import { ConsoleSessionRepository, SignInRuleRepository } from './ports.js';

const HOUR = 3_600_000;
export const SESSION_MS = 7 * 24 * HOUR;
const IDLE_MS = 12 * HOUR;
/** Signed-in browsers per person; the oldest makes room. */
const MAX_PER_PERSON = 20;

/** Where somebody signs in, for their own list. */
export interface Browser {
  readonly device: string;
  readonly address: string;
}

/** Owns console sessions: a cookie of 256 random bits, known here by its SHA-256 only. */
@Injectable()
export class ConsoleSessions implements OnModuleInit {
  readonly #csrfKey: Buffer;

  constructor(
    private readonly sessions: ConsoleSessionRepository,
    private readonly rules: SignInRuleRepository,
    private readonly feed: EventFeed,
    private readonly known: KnownCallers,
    private readonly work: ScheduledWork,
    private readonly clock: Clock,
    box: SecretBox,
  ) {
    this.#csrfKey = box.derive('auth/csrf');
  }

  onModuleInit(): void {
    this.work.every(HOUR, 'Removing ended console sessions', () => this.removeEnded());
  }

  /** A new session; its secret goes into the cookie and nowhere else. Whoever signs in has just proved who they are. */
  async open(personId: PrincipalId, { device, address }: Browser): Promise<string> {
    const secret = secretFrom(randomBytes(SECRET_BYTES));
    const now = this.clock.now();
    await this.sessions.insert({
      hash: hashOf(secret),
      id: newId<SignInId>(),
      personId,
      device,
      address,
      createdAt: now,
      seenAt: now,
      provedAt: now,
      expiresAt: now + SESSION_MS,
    });
    await this.sessions.trim(personId, MAX_PER_PERSON);
    this.known.forgetAll(); // the one that made room ends at once
    return secret;
  }

  /** The person whose session this is; undefined when it is over. */
  async find(hash: string): Promise<Doorless | undefined> {
    const found = await this.sessions.find(hash);
    if (!found) return undefined;
    const { session, person } = found;
    if (this.#isOver(session)) return undefined;
    const principal = toPersonPrincipal(person, session.expiresAt);
    if (!principal) return undefined;
    const asked = person.factors.length > 0 ? [] : await this.rules.secondFactorRoles();
    const proof = { provedAt: session.provedAt, methods: methodsOf(person.factors), mustEnrol: mustEnrol(person, person.factors, asked) };
    return { ...principal, proof };
  }

  /** The person has proved again that it is them. */
  async proved(hash: string): Promise<void> {
    await this.sessions.proved(hash, this.clock.now());
    this.known.forgetAll();
  }

  /** Where a person is signed in, this browser included; newest first. */
  async list(personId: PrincipalId, thisHash: string): Promise<readonly SignInInfo[]> {
    return (await this.sessions.listOf(personId))
      .filter((session) => !this.#isOver(session))
      .map(({ hash, id, device, address, createdAt, seenAt, expiresAt }) => ({
        ...{ id, device, address, createdAt, seenAt, expiresAt },
        isThis: hash === thisHash,
      }));
  }

  /** Ends one of one's own. An id is not a credential: a stranger's and none look the same. */
  async end({ id: personId }: Principal, id: SignInId): Promise<void> {
    const session = (await this.sessions.listOf(personId)).find((one) => one.id === id);
    if (!session) throw new AppError('SIGN_IN_NOT_FOUND', 'No such sign-in of yours', { id });
    await this.close(session.hash);
  }

  async endOthers({ id: personId }: Principal, thisHash: string): Promise<void> {
    await this.feed.write(async (tx, append) => {
      await this.sessions.removeAllOf(personId, { tx, except: thisHash });
      await append({ owner: personId, sessionId: null }, { type: 'person.changed', personId });
    });
    this.known.forgetAll();
  }

  /** Ends a session everywhere: other processes hear of it, and its streams are cut. */
  async close(hash: string): Promise<void> {
    await this.feed.write(async (tx, append) => {
      const personId = await this.sessions.remove(tx, hash);
      if (personId !== undefined) await append({ owner: personId, sessionId: null }, { type: 'person.changed', personId });
    });
    this.known.forgetAll();
  }

  csrfToken(hash: string): string {
    return csrfTokenOf(this.#csrfKey, hash);
  }

  isCsrfToken(hash: string, given: string | undefined): boolean {
    return isCsrfToken(this.#csrfKey, hash, given);
  }

  async removeEnded(): Promise<void> {
    const now = this.clock.now();
    await this.sessions.removeEnded(now, now - IDLE_MS);
  }

  #isOver({ expiresAt, seenAt }: { readonly expiresAt: number; readonly seenAt: number }): boolean {
    const now = this.clock.now();
    return now >= expiresAt || now - seenAt >= IDLE_MS;
  }
}
