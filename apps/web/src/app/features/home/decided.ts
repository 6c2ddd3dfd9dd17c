import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Ask, Snapshot } from '#contracts';
import { Api } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { whenBack } from '../../core/when-back.js';
import { decisionTimes } from './decision-times.js';

const LATELY = 200;
/** Decisions come in bursts; the server is asked again once they pause. */
const SETTLE_MS = 1_000;

/** Owner of what was decided lately, for how long decisions take. */
@Service({ autoProvided: false })
export class Decided {
  readonly #api = inject(Api);
  readonly #asks = signal<readonly Ask[] | undefined>(undefined);
  readonly isLoaded = computed(() => this.#asks() !== undefined);
  readonly times = computed(() => decisionTimes(this.#asks() ?? []));

  constructor() {
    let timer: ReturnType<typeof setTimeout> | undefined;
    void this.#load();
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type !== 'resync' && event.type !== 'ask.closed') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void this.#load();
      }, SETTLE_MS);
    });
    whenBack(
      () => this.#load(),
      () => undefined,
      true,
    );
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(timer);
      following.unsubscribe();
    });
  }

  async #load(): Promise<void> {
    const page = await this.#api.get<Snapshot<Ask>>(`asks?state=closed&limit=${String(LATELY)}`).catch(() => undefined);
    if (page !== undefined) this.#asks.set(page.items);
  }
}
