import { Injectable } from '@nestjs/common';
import { AppError, Clock } from '#platform';
import { giveBack, tryOnce, type Allowance, type Tries } from './core/attempts.js';

const MINUTE = 60_000;

/** One address on one name: someone who guesses. Strict, and it slows nobody else down. */
const PAIR: Allowance = { free: 5, forgetMs: 15 * MINUTE, firstWaitMs: 1_000, maxWaitMs: 5 * MINUTE };
/** One address on all names: someone who sprays. Generous, for offices behind one address. */
const ADDRESS: Allowance = { free: 50, forgetMs: 15 * MINUTE, firstWaitMs: 1_000, maxWaitMs: MINUTE };
/** All addresses on one name: a net of machines. Mild, or it would be a way to lock a person out. */
const NAME: Allowance = { free: 100, forgetMs: 15 * MINUTE, firstWaitMs: 1_000, maxWaitMs: 30_000 };
/** Second factors of one person, from anywhere: six digits are few, and whoever gets here knows the password already. */
const CODE: Allowance = { free: 10, forgetMs: 60 * MINUTE, firstWaitMs: 1_000, maxWaitMs: 15 * MINUTE };

/** Entries per kind; beyond it the one that was used longest ago goes. */
const MAX_KEPT = 4_096;

/** A try that was let through. */
export interface Try {
  /** The credentials were right: the try does not count, and the pair starts afresh. */
  succeeded(): void;
}

/** Owns how often somebody may try to sign in. In memory and bounded: a restart forgets it. */
@Injectable()
export class LoginThrottle {
  readonly #pairs = new Map<string, Tries>();
  readonly #addresses = new Map<string, Tries>();
  readonly #names = new Map<string, Tries>();
  readonly #codes = new Map<string, Tries>();

  constructor(private readonly clock: Clock) {}

  /** Counts a try, or refuses it with the time to wait. */
  begin(address: string, nameKey: string): Try {
    const from = networkOf(address);
    const pair = `${from} ${nameKey}`;
    const shared = [
      { kept: this.#addresses, key: from, allowance: ADDRESS },
      { kept: this.#names, key: nameKey, allowance: NAME },
    ];
    this.#count([...shared, { kept: this.#pairs, key: pair, allowance: PAIR }]);
    return {
      succeeded: () => {
        this.#pairs.delete(pair);
        for (const { kept, key } of shared) {
          const tries = kept.get(key);
          if (tries) kept.set(key, giveBack(tries));
        }
      },
    };
  }

  /** The same for a code of this person. */
  beginCode(personId: string): Try {
    this.#count([{ kept: this.#codes, key: personId, allowance: CODE }]);
    return { succeeded: () => void this.#codes.delete(personId) };
  }

  #count(counts: readonly { readonly kept: Map<string, Tries>; readonly key: string; readonly allowance: Allowance }[]): void {
    const now = this.clock.now();
    const results = counts.map(({ kept, key, allowance }) => tryOnce(kept.get(key), allowance, now));
    const waitMs = Math.max(...results.map((result) => result.waitMs));
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1_000);
      throw new AppError('RATE_LIMITED', `Too many tries; wait ${retryAfterSeconds} s`, { retryAfterSeconds });
    }
    counts.forEach(({ kept, key }, index) => {
      const tries = results[index]?.tries;
      if (tries) keep(kept, key, tries);
    });
  }

  get size(): number {
    return this.#pairs.size + this.#addresses.size + this.#names.size + this.#codes.size;
  }
}

function keep(kept: Map<string, Tries>, key: string, tries: Tries): void {
  kept.delete(key);
  kept.set(key, tries);
  if (kept.size <= MAX_KEPT) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
}

/** An IPv6 user has a whole /64; an IPv4 user one address. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
