import { Service, computed, inject, signal } from '@angular/core';
import type { Answer, Ask, AskId, Plan } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { Me } from '../../core/me.js';
import { Plans } from '../../core/plans.js';
import type { WordKey } from '../../core/words.js';
import { leftOut, voteEach } from './batch.js';
import type { BatchResult, BatchStep } from './batch.js';
import { InboxStore } from './inbox.store.js';

export interface BatchRow {
  readonly ask: Ask;
  readonly plan: Plan | undefined;
  /** Why it takes no part; undefined when it may. */
  readonly why: WordKey | undefined;
  readonly isIn: boolean;
  readonly result: BatchResult | undefined;
}

/** Owner of one batch on screen: which asks take part, and what the server said to each vote. */
@Service({ autoProvided: false })
export class BatchStore {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #stream = inject(EventStream);
  readonly #plans = inject(Plans);
  readonly #inbox = inject(InboxStore);
  /** Fixed when the page opens, so that nothing comes or goes under a finger. */
  readonly #ids: readonly AskId[] = this.#inbox.picked();
  readonly #out = signal<ReadonlySet<AskId>>(new Set());
  readonly #results = signal<ReadonlyMap<AskId, BatchResult>>(new Map());
  readonly #step = signal<BatchStep>('idle');

  readonly step = this.#step.asReadonly();
  readonly rows = computed<readonly BatchRow[]>(() =>
    this.#ids.flatMap((id) => {
      const ask = this.#inbox.find(id);
      if (ask === undefined) return [];
      const plan = ask.planId === null ? undefined : this.#plans.peek(ask.planId);
      const result = this.#results().get(id);
      const why = result === undefined ? leftOut(ask, this.#me.principal(), plan) : undefined;
      return [{ ask, plan, why, result, isIn: why === undefined && !this.#out().has(id) }];
    }),
  );
  readonly chosen = computed(() => this.rows().filter((row) => row.isIn && row.result === undefined && row.ask.status === 'open'));
  readonly left = computed(() => this.rows().filter((row) => row.why !== undefined));
  /** What is drawn is what each ask names: only then it may be decided. */
  readonly isDrawn = computed(() => this.chosen().every((row) => row.plan?.digest === row.ask.digest));
  readonly isDone = computed(() => this.#results().size > 0 && this.#step() === 'idle');
  readonly counts = computed(() => {
    const all = [...this.#results().values()];
    return { sent: all.filter(({ kind }) => kind === 'sent').length, failed: all.filter(({ kind }) => kind === 'failed').length };
  });

  constructor() {
    for (const id of this.#ids) {
      const planId = this.#inbox.find(id)?.planId;
      if (planId) void this.#plans.fetch(planId);
    }
  }

  toggle(id: AskId): void {
    this.#out.update((out) => new Set(out.has(id) ? [...out].filter((one) => one !== id) : [...out, id]));
  }

  go(step: 'idle' | 'reject'): void {
    this.#step.set(step);
  }

  async vote(answer: Answer, reason?: string): Promise<void> {
    const rows = this.chosen();
    if (rows.length === 0 || !this.isDrawn() || !this.#stream.mayDecide()) return;
    const digests = new Map(rows.map((row) => [row.ask.id, row.plan?.digest]));
    this.#step.set(answer);
    await voteEach(
      rows.map((row) => row.ask),
      (ask) => this.#send(ask, { answer, digest: digests.get(ask.id), ...(reason === undefined ? {} : { reason }) }),
      (id, result) => {
        this.#results.update((results) => new Map(results).set(id, result));
      },
    );
    this.#inbox.unpick(rows.map((row) => row.ask.id));
    this.#step.set('idle');
  }

  async #send(ask: Ask, body: object): Promise<BatchResult> {
    try {
      await this.#api.post<Ask>(`asks/${ask.id}/votes`, body);
      return { kind: 'sent' };
    } catch (thrown) {
      return { kind: 'failed', failure: ApiError.of(thrown) };
    }
  }
}
