import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Signal } from '@angular/core';
import type { Plan, PlanId } from '#contracts';
import { Api } from './api.js';
import { EventStream } from './event-stream.js';
import { foldPlan } from './fold-plan.js';

const KEPT = 300;

/** Owner of the plans that lists on screen refer to by id. A plan never changes but for its status, which events move. */
@Service()
export class Plans {
  readonly #api = inject(Api);
  readonly #known = signal<ReadonlyMap<PlanId, Plan>>(new Map());
  readonly #asked = new Set<PlanId>();

  constructor() {
    const stream = inject(EventStream);
    const until = inject(DestroyRef);
    const following = stream.heard.subscribe((event) => {
      if (event.type === 'resync') this.#forget();
      else if (event.type === 'plan.created') this.#keep(event.plan);
      else this.#known.update((known) => foldInto(known, event));
    });
    until.onDestroy(() => {
      following.unsubscribe();
    });
  }

  /** The plan once it is known; asks the server the first time. */
  of(id: PlanId): Signal<Plan | undefined> {
    void this.fetch(id);
    return computed(() => this.#known().get(id));
  }

  peek(id: PlanId): Plan | undefined {
    return this.#known().get(id);
  }

  async fetch(id: PlanId): Promise<void> {
    if (this.#asked.has(id) || this.#known().has(id)) return;
    this.#asked.add(id);
    const plan = await this.#api.get<Plan>(`plans/${id}`).catch(() => undefined);
    // A plan that may not be seen is not asked for again until the lists are loaded anew.
    if (plan === undefined) return;
    this.#asked.delete(id);
    this.#keep(plan);
  }

  #keep(plan: Plan): void {
    this.#known.update((known) => new Map([...known, [plan.id, plan] as const].slice(-KEPT)));
  }

  #forget(): void {
    this.#asked.clear();
    this.#known.set(new Map());
  }
}

function foldInto(known: ReadonlyMap<PlanId, Plan>, event: Parameters<typeof foldPlan>[1]): ReadonlyMap<PlanId, Plan> {
  const changed = [...known.values()].map((plan) => [plan, foldPlan(plan, event)] as const).filter(([before, after]) => before !== after);
  if (changed.length === 0) return known;
  return new Map([...known, ...changed.map(([, after]) => [after.id, after] as const)]);
}
