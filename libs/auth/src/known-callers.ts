import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Clock, EventFeed } from '#platform';
import type { Doorless } from './core/principals.js';

/** How long a credential is believed without a look at the database. Changes made here or heard of end it at once. */
const BELIEVED_MS = 5_000;
const MAX_KNOWN = 10_000;

/** What is remembered of a credential: who it is, and the rate of a token that has one of its own. */
export type Known = Doorless & { readonly ratePerMinute?: number };

/** Owns the short memory of who holds which credential, so that a guard costs microseconds. Holds hashes only. */
@Injectable()
export class KnownCallers implements OnModuleInit, OnModuleDestroy {
  readonly #known = new Map<string, { readonly known: Known; readonly until: number }>();
  #generation = 0;
  #listening: Subscription | undefined;

  constructor(
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.#listening = this.feed.live.subscribe(({ type }) => {
      if (type === 'person.changed' || type === 'token.changed') this.forgetAll();
    });
  }

  onModuleDestroy(): void {
    this.#listening?.unsubscribe();
  }

  /** What is remembered under this hash, else what `read` finds. A miss is not remembered. */
  async recall(hash: string, read: () => Promise<Known | undefined>): Promise<Known | undefined> {
    const now = this.clock.now();
    const entry = this.#known.get(hash);
    if (entry && now < entry.until) return entry.known;
    const generation = this.#generation;
    const known = await read();
    if (!known) {
      this.#known.delete(hash);
      return undefined;
    }
    // What was read before a change must not be remembered after it.
    if (generation === this.#generation) this.#remember(hash, known, now + BELIEVED_MS);
    return known;
  }

  /** Changes of people and tokens are rare; forgetting everybody is simple and never wrong. */
  forgetAll(): void {
    this.#generation += 1;
    this.#known.clear();
  }

  get size(): number {
    return this.#known.size;
  }

  #remember(hash: string, known: Known, until: number): void {
    this.#known.delete(hash);
    this.#known.set(hash, { known, until });
    if (this.#known.size <= MAX_KNOWN) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}
