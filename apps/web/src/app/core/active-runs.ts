import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Run, Snapshot } from '#contracts';
import { Api } from './api.js';
import type { ApiError } from './api.js';
import { EventStream } from './event-stream.js';
import { foldRuns } from './fold-runs.js';
import type { RunMap } from './fold-runs.js';

/** Owner of the runs that go on now. */
@Service()
export class ActiveRuns {
  readonly #api = inject(Api);
  readonly #runs = signal<RunMap | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);

  readonly failure = this.#failure.asReadonly();
  readonly isLoaded = computed(() => this.#runs() !== undefined);
  readonly all = computed<readonly Run[]>(() => [...(this.#runs()?.values() ?? [])].sort((a, b) => b.startedAt - a.startedAt));

  readonly start = inject(EventStream).follow(
    {
      load: async () => {
        const { items, seq } = await this.#api.get<Snapshot<Run>>('runs?active=true');
        this.#runs.set(new Map(items.map((run) => [run.id, run])));
        return seq;
      },
      apply: (event) => {
        this.#runs.update((runs) => foldRuns(runs ?? new Map(), event));
      },
      failed: (failure) => {
        this.#failure.set(failure);
      },
    },
    inject(DestroyRef),
  );
}
