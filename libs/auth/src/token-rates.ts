import { Injectable } from '@nestjs/common';
import type { PrincipalId } from '#contracts';
import { AppError, Clock } from '#platform';

const WINDOW_MS = 60_000;
const MAX_COUNTED = 10_000;

interface Counted {
  readonly since: number;
  count: number;
}

/** Owns how often tokens with a rate of their own have called in this minute. In memory, per process. */
@Injectable()
export class TokenRates {
  readonly #counted = new Map<PrincipalId, Counted>();

  constructor(private readonly clock: Clock) {}

  /** Counts one request, or refuses it with the time to wait. */
  count(id: PrincipalId, perMinute: number): void {
    const now = this.clock.now();
    const known = this.#counted.get(id);
    if (!known || now - known.since >= WINDOW_MS) {
      this.#begin(id, now);
      return;
    }
    if (known.count >= perMinute) {
      const retryAfterSeconds = Math.max(1, Math.ceil((known.since + WINDOW_MS - now) / 1_000));
      throw new AppError('RATE_LIMITED', 'This token has used up its requests of this minute', { retryAfterSeconds, perMinute });
    }
    known.count += 1;
  }

  #begin(id: PrincipalId, now: number): void {
    this.#counted.delete(id);
    this.#counted.set(id, { since: now, count: 1 });
    if (this.#counted.size <= MAX_COUNTED) return;
    for (const oldest of this.#counted.keys()) {
      this.#counted.delete(oldest);
      return;
    }
  }
}
