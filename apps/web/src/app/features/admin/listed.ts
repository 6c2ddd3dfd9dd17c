import { DestroyRef, inject, signal } from '@angular/core';
import type { AppEvent, Snapshot } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';

/** A short list of the server that is loaded again when an event concerns it. Only where Angular injects. */
export class Listed<T> {
  readonly #api = inject(Api);
  readonly #path: string;
  readonly #items = signal<readonly T[] | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);
  readonly items = this.#items.asReadonly();
  readonly failure = this.#failure.asReadonly();

  constructor(path: string, concerns: (event: AppEvent) => boolean) {
    this.#path = path;
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type === 'resync' || concerns(event)) void this.load();
    });
    inject(DestroyRef).onDestroy(() => {
      following.unsubscribe();
    });
    void this.load();
  }

  async load(): Promise<void> {
    try {
      this.#items.set((await this.#api.get<Snapshot<T>>(this.#path)).items);
      this.#failure.set(undefined);
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    }
  }
}
