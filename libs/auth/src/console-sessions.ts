import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { PrincipalId } from '#contracts';
import { Clock, ScheduledWork, SecretBox } from '#platform';
import { csrfTokenOf, hashOf, isCsrfToken, SECRET_BYTES, secretFrom } from './core/credentials.js';
import { toPersonPrincipal, type Doorless } from './core/principals.js';
import { KnownCallers } from './known-callers.js';
import { ConsoleSessionRepository } from './ports.js';

const HOUR = 3_600_000;
export const SESSION_MS = 7 * 24 * HOUR;
const IDLE_MS = 12 * HOUR;
/** Signed-in browsers per person; the oldest makes room. */
const MAX_PER_PERSON = 20;

/** Owns console sessions: a cookie of 256 random bits, known here by its SHA-256 only. */
@Injectable()
export class ConsoleSessions implements OnModuleInit {
  readonly #csrfKey: Buffer;

  constructor(
    private readonly sessions: ConsoleSessionRepository,
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

  /** A new session; its secret goes into the cookie and nowhere else. */
  async open(personId: PrincipalId): Promise<string> {
    const secret = secretFrom(randomBytes(SECRET_BYTES));
    const now = this.clock.now();
    await this.sessions.insert({ hash: hashOf(secret), personId, createdAt: now, seenAt: now, expiresAt: now + SESSION_MS });
    await this.sessions.trim(personId, MAX_PER_PERSON);
    this.known.forgetAll(); // the one that made room ends at once
    return secret;
  }

  /** The person whose session this is; undefined when it is over. */
  async find(hash: string): Promise<Doorless | undefined> {
    const found = await this.sessions.find(hash);
    if (!found) return undefined;
    const { session, person } = found;
    const now = this.clock.now();
    if (now >= session.expiresAt || now - session.seenAt >= IDLE_MS) return undefined;
    return toPersonPrincipal(person, session.expiresAt);
  }

  async close(hash: string): Promise<void> {
    await this.sessions.remove(hash);
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
}
