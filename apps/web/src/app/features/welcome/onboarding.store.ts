import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { AppEvent, AskId, CreatedToken, PlanId, ReceiptId, Snapshot, SystemInfo, TokenInfo } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { Workspaces } from '../../core/workspaces.js';

/** What has been seen on the way to the first receipt. */
export interface FirstSteps {
  readonly planId: PlanId | null;
  readonly askId: AskId | null;
  readonly receiptId: ReceiptId | null;
}

/** Owner of the steps of a first set-up. Their state is read from the server, so a reload loses nothing but a shown secret. */
@Service({ autoProvided: false })
export class OnboardingStore {
  readonly #api = inject(Api);
  readonly #until = inject(DestroyRef);
  readonly #tokens = signal<readonly TokenInfo[]>([]);
  readonly #created = signal<CreatedToken | undefined>(undefined);
  readonly #system = signal<SystemInfo | undefined>(undefined);
  readonly #steps = signal<FirstSteps>({ planId: null, askId: null, receiptId: null });
  readonly #failure = signal<ApiError | undefined>(undefined);
  readonly workspaces = inject(Workspaces);

  readonly created = this.#created.asReadonly();
  readonly system = this.#system.asReadonly();
  readonly steps = this.#steps.asReadonly();
  readonly failure = this.#failure.asReadonly();
  readonly workspace = computed(() => this.workspaces.all()[0]);
  /** A token of an agent that has called; the one made here if it was it. */
  readonly caller = computed(() => this.#tokens().find((token) => token.lastUsedAt !== null && token.revokedAt === null));
  readonly hasToken = computed(() => this.#tokens().some((token) => token.revokedAt === null));
  readonly step = computed<0 | 1 | 2 | 3>(() => {
    if (this.#steps().receiptId !== null) return 3;
    return this.caller() === undefined ? 1 : 2;
  });

  constructor() {
    void this.workspaces.load().catch(() => undefined);
    void this.#api
      .get<SystemInfo>('system')
      .then((system) => {
        this.#system.set(system);
      })
      .catch(() => undefined);
    const start = inject(EventStream).follow(
      {
        load: () => this.#load(),
        apply: (event) => {
          this.#steps.update((steps) => foldSteps(steps, event));
          if (event.type === 'token.changed' || event.type === 'session.opened' || event.type === 'plan.created') void this.#load();
        },
        failed: (failure) => {
          this.#failure.set(failure);
        },
      },
      this.#until,
    );
    void start();
    // The time of a token's last use is no event; a first call without a plan is seen by asking.
    const timer = setInterval(() => {
      if (this.caller() === undefined) void this.#load().catch(() => undefined);
    }, 3000);
    this.#until.onDestroy(() => {
      clearInterval(timer);
    });
  }

  async createToken(name: string): Promise<void> {
    this.#failure.set(undefined);
    try {
      this.#created.set(await this.#api.post<CreatedToken>('tokens', { name }));
      await this.#load();
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    }
  }

  async #load(): Promise<number> {
    const { items, seq } = await this.#api.get<Snapshot<TokenInfo>>('tokens');
    this.#tokens.set(items);
    return seq;
  }
}

/** The first plan, its ask and its receipt, in the order they happen. Pure. */
export function foldSteps(steps: FirstSteps, event: AppEvent): FirstSteps {
  if (event.type === 'plan.created') return { ...steps, planId: event.plan.id, askId: event.plan.askId ?? steps.askId };
  if (event.type === 'ask.opened' && event.ask.planId === steps.planId) return { ...steps, askId: event.ask.id };
  if (event.type === 'run.ended') return { ...steps, planId: event.planId, receiptId: event.receiptId };
  return steps;
}
