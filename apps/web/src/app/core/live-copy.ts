import { DestroyRef, inject, signal } from '@angular/core';
import type { Signal } from '@angular/core';
import type { AppEvent } from '#contracts';
import { ApiError } from './api.js';
import { EventStream } from './event-stream.js';

/** One thing of the server on screen, kept true: loaded once, then moved by events. What is heard while it loads is folded in after. */
export class LiveCopy<T> {
  readonly #fold: (value: T, event: AppEvent) => T;
  readonly #value = signal<T | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);
  #heard: AppEvent[] | undefined;
  #load: (() => Promise<T>) | undefined;
  #round = 0;

  readonly value: Signal<T | undefined> = this.#value.asReadonly();
  readonly failure = this.#failure.asReadonly();

  /** Only where Angular injects: it follows the stream until its owner is destroyed. */
  constructor(fold: (value: T, event: AppEvent) => T) {
    this.#fold = fold;
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type === 'resync') void this.reload();
      else this.#take(event);
    });
    inject(DestroyRef).onDestroy(() => {
      this.#round += 1;
      following.unsubscribe();
    });
  }

  /** Shows another thing: the old one leaves at once. */
  open(load: () => Promise<T>): Promise<void> {
    this.#value.set(undefined);
    this.#load = load;
    return this.reload();
  }

  async reload(): Promise<void> {
    const load = this.#load;
    if (load === undefined) return;
    this.#round += 1;
    const mine = this.#round;
    this.#heard = [];
    const answer: T | ApiError = await load().catch((thrown: unknown) => ApiError.of(thrown));
    if (mine !== this.#round) return;
    const heard = this.#heard;
    this.#heard = undefined;
    if (answer instanceof ApiError) this.#failure.set(answer);
    else {
      this.#failure.set(undefined);
      this.#value.set(heard.reduce<T>((value, event) => this.#fold(value, event), answer));
    }
  }

  #take(event: AppEvent): void {
    this.#heard?.push(event);
    this.#value.update((value) => (value === undefined ? value : this.#fold(value, event)));
  }
}
