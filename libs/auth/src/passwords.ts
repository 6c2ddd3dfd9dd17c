import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { AppError } from '#platform';
import { toPassword } from './core/password-rules.js';
import { formatPhc, isCheaper, parsePhc, type HashCost, type StoredHash } from './core/phc.js';

/** Above the usual floor (19 MiB, 2 passes): about 60 ms on a small server. */
const COST: HashCost = { memory: 32_768, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** Hashing takes a thread and memory; more at once would starve file work of the same pool. */
const AT_ONCE = 2;
const MAX_WAITING = 32;

const hashArgon2 = promisify(argon2);

/** Owns how passwords become hashes. Keeps no password, and names none in errors. */
@Injectable()
export class Passwords {
  /** What is checked when there is no such person: the same work, and no password fits it. */
  readonly #nobody = formatPhc({ ...COST, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) });
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return formatPhc({ ...COST, salt, tag: await this.#work(password, { ...COST, salt }, TAG_BYTES) });
  }

  /** Whether the password fits. Without a stored hash it does the same work and says no. */
  async fits(password: string, stored: string | undefined): Promise<boolean> {
    const hash = parsePhc(stored ?? this.#nobody);
    if (!hash) throw new Error('A stored password hash cannot be read');
    const tag = await this.#work(password, hash, hash.tag.length);
    return timingSafeEqual(tag, hash.tag) && stored !== undefined;
  }

  /** True when the stored hash should be made anew, now that the password is at hand. */
  isOutdated(stored: string): boolean {
    const hash = parsePhc(stored);
    return hash !== undefined && isCheaper(hash, COST);
  }

  async #work(password: string, { memory, passes, lanes, salt }: Omit<StoredHash, 'tag'>, tagLength: number): Promise<Buffer> {
    await this.#enter();
    try {
      return await hashArgon2('argon2id', { message: toPassword(password), nonce: salt, memory, passes, parallelism: lanes, tagLength });
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #enter(): Promise<void> {
    if (this.#busy < AT_ONCE) {
      this.#busy += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw new AppError('RATE_LIMITED', 'Too many sign-ins at once; try again in a moment', { retryAfterSeconds: 1 });
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(() => {
        this.#busy += 1;
        resolve();
      });
    });
  }
}
