import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { BasePolicy, PolicyInForce } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';

/** Owner of the policy in force as the pages show it; loaded again whenever somebody saves a version. */
@Service({ autoProvided: false })
export class PolicyStore {
  readonly #api = inject(Api);
  readonly #inForce = signal<PolicyInForce | undefined>(undefined);
  readonly #base = signal<BasePolicy | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);
  #round = 0;

  readonly inForce = this.#inForce.asReadonly();
  readonly base = this.#base.asReadonly();
  readonly failure = this.#failure.asReadonly();
  readonly nextVersion = computed(() => (this.#inForce()?.version ?? 0) + 1);

  constructor() {
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type === 'resync' || event.type === 'policy.changed') void this.load();
    });
    inject(DestroyRef).onDestroy(() => {
      following.unsubscribe();
    });
    void this.load();
  }

  async load(): Promise<void> {
    this.#round += 1;
    const mine = this.#round;
    try {
      const policy = await this.#api.get<PolicyInForce>('policy');
      if (mine !== this.#round) return;
      this.#inForce.set(policy);
      this.#failure.set(undefined);
    } catch (thrown) {
      if (mine === this.#round) this.#failure.set(ApiError.of(thrown));
    }
  }

  async loadBase(): Promise<void> {
    if (this.#base() !== undefined) return;
    try {
      this.#base.set(await this.#api.get<BasePolicy>('policy/base'));
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    }
  }
}
