import { Service, inject, signal } from '@angular/core';
import type { Ask, Plan, PlanId, Run } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { foldAsk } from '../../core/fold-asks.js';
import { foldPlan } from '../../core/fold-plan.js';
import { LiveCopy } from '../../core/live-copy.js';

/** Owner of one plan on screen. Running it is a call; what happens is told by events. */
@Service({ autoProvided: false })
export class PlanStore {
  readonly #api = inject(Api);
  readonly #plan = new LiveCopy<Plan>(foldPlan);
  readonly #ask = new LiveCopy<Ask>(foldAsk);
  readonly #busy = signal(false);
  readonly #failure = signal<ApiError | undefined>(undefined);

  readonly plan = this.#plan.value;
  readonly ask = this.#ask.value;
  readonly loadFailure = this.#plan.failure;
  readonly busy = this.#busy.asReadonly();
  readonly failure = this.#failure.asReadonly();

  async open(id: PlanId): Promise<void> {
    this.#failure.set(undefined);
    await this.#plan.open(() => this.#api.get<Plan>(`plans/${id}`));
    const askId = this.plan()?.askId;
    if (askId != null && this.plan()?.id === id) await this.#ask.open(() => this.#api.get<Ask>(`asks/${askId}`));
  }

  reload(): void {
    void this.#plan.reload();
  }

  /** Starts the one run of an approved plan. */
  run(): Promise<Run | undefined> {
    return this.#attempt((plan) => this.#api.post<Run>(`plans/${plan.id}/execute`, { sessionId: plan.sessionId }));
  }

  async cancel(): Promise<void> {
    await this.#attempt((plan) => this.#api.post<unknown>(`plans/${plan.id}/cancel`));
  }

  async #attempt<T>(call: (plan: Plan) => Promise<T>): Promise<T | undefined> {
    const plan = this.plan();
    if (plan === undefined || this.#busy()) return undefined;
    this.#busy.set(true);
    this.#failure.set(undefined);
    try {
      return await call(plan);
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
      void this.#plan.reload();
      return undefined;
    } finally {
      this.#busy.set(false);
    }
  }
}
