import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Ask, AskId, Snapshot } from '#contracts';
import { Api } from './api.js';
import type { ApiError } from './api.js';
import { EventStream } from './event-stream.js';
import { byUrgency, foldAsks } from './fold-asks.js';
import type { AskMap } from './fold-asks.js';
import { mayDecide } from './may-decide.js';
import { Me } from './me.js';

/** Owner of the open asks that the whole console counts and lists. Only the server's list and events change it. */
@Service()
export class OpenAsks {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #asks = signal<AskMap | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);

  readonly failure = this.#failure.asReadonly();
  readonly isLoaded = computed(() => this.#asks() !== undefined);
  readonly all = computed<readonly Ask[]>(() => [...(this.#asks()?.values() ?? [])].sort(byUrgency));
  readonly mine = computed(() => this.all().filter((ask) => mayDecide(ask, this.#me.principal()) === 'yes'));
  readonly others = computed(() => this.all().filter((ask) => mayDecide(ask, this.#me.principal()) !== 'yes'));

  readonly start = inject(EventStream).follow(
    {
      load: async () => {
        const { items, seq } = await this.#api.get<Snapshot<Ask>>('asks?state=open&limit=500');
        this.#asks.set(new Map(items.map((ask) => [ask.id, ask])));
        return seq;
      },
      apply: (event) => {
        this.#asks.update((asks) => foldAsks(asks ?? new Map(), event));
      },
      failed: (failure) => {
        this.#failure.set(failure);
      },
    },
    inject(DestroyRef),
  );

  find(id: AskId): Ask | undefined {
    return this.#asks()?.get(id);
  }
}
