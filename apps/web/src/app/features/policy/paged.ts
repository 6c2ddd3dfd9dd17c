import { DestroyRef, inject, signal } from '@angular/core';
import type { AppEvent, Page } from '#contracts';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';

const LIMIT = 50;

/** A list of the server in pages, loaded again from the top when an event concerns it. Only where Angular injects. */
export class Paged<T> {
  readonly #api = inject(Api);
  readonly #path: string;
  readonly #items = signal<readonly T[] | undefined>(undefined);
  readonly #next = signal<string | null>(null);
  readonly #failure = signal<ApiError | undefined>(undefined);
  #filter: Readonly<Record<string, string>> = {};
  #round = 0;

  readonly items = this.#items.asReadonly();
  readonly next = this.#next.asReadonly();
  readonly failure = this.#failure.asReadonly();

  constructor(path: string, concerns: (event: AppEvent) => boolean) {
    this.#path = path;
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type === 'resync' || concerns(event)) void this.load();
    });
    inject(DestroyRef).onDestroy(() => {
      this.#round += 1;
      following.unsubscribe();
    });
  }

  async load(filter = this.#filter): Promise<void> {
    this.#filter = filter;
    await this.#take(null);
  }

  async more(): Promise<void> {
    await this.#take(this.#next());
  }

  /** Only the answer to the last question counts. */
  async #take(before: string | null): Promise<void> {
    this.#round += 1;
    const mine = this.#round;
    try {
      const page = await this.#api.get<Page<T>>(`${this.#path}${queryOf({ ...this.#filter, before, limit: LIMIT })}`);
      if (mine !== this.#round) return;
      this.#items.update((items) => (before === null ? page.items : [...(items ?? []), ...page.items]));
      this.#next.set(page.next);
      this.#failure.set(undefined);
    } catch (thrown) {
      if (mine === this.#round) this.#failure.set(ApiError.of(thrown));
    }
  }
}
