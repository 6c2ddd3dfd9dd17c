import { Injectable } from '@nestjs/common';
import { AppError, Clock } from '#platform';
import { OauthRepository } from './ports.js';

const WINDOW_MS = 60 * 60_000;
const PER_ADDRESS = 20;
const IN_ALL = 300;
const MAX_CLIENTS = 1_000;
const MAX_COUNTED = 4_096;

/** Owns how often strangers may make this server remember or fetch something: clients that register, documents that are read. In memory, per process. */
@Injectable()
export class OauthThrottle {
  #since = 0;
  #all = 0;
  readonly #byAddress = new Map<string, number>();

  constructor(
    private readonly oauth: OauthRepository,
    private readonly clock: Clock,
  ) {}

  /** Throws with the time to wait. */
  count(address: string): void {
    const now = this.clock.now();
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now;
      this.#all = 0;
      this.#byAddress.clear();
    }
    const own = this.#byAddress.get(address) ?? 0;
    if (own >= PER_ADDRESS || this.#all >= IN_ALL || (own === 0 && this.#byAddress.size >= MAX_COUNTED)) {
      const retryAfterSeconds = Math.max(1, Math.ceil((this.#since + WINDOW_MS - now) / 1_000));
      throw new AppError('RATE_LIMITED', 'Too many clients registered lately; wait a while', { retryAfterSeconds });
    }
    this.#all += 1;
    this.#byAddress.set(address, own + 1);
  }

  /** The same, said in one word. */
  mayFetch(address: string): boolean {
    try {
      this.count(address);
      return true;
    } catch {
      return false; // counted out, as `count` says with the time to wait
    }
  }

  /** Clients that nobody signs in with are forgotten after a day; until then there is an end to them. */
  async assertRoom(): Promise<void> {
    if ((await this.oauth.countClients()) < MAX_CLIENTS) return;
    throw new AppError('RATE_LIMITED', 'Too many clients are registered and unused; wait a while', {
      retryAfterSeconds: WINDOW_MS / 1_000,
    });
  }
}
