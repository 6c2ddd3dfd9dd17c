import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { AppEvent, Page, ReceiptSummary, RunOutcome } from '#contracts';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { whenBack } from '../../core/when-back.js';
import { Now } from '../../core/now.js';

const KEPT = 200;
const PAGE = 100;
const SHOWN = 6;
/** What did not end well; what a person refused is no failure. Worst first. */
const WRONG: readonly RunOutcome[] = ['unknown', 'failed', 'interrupted', 'timed_out'];

/** Owner of the last receipts on the home page, and of those of today that did not end well. */
@Service({ autoProvided: false })
export class HomeStore {
  readonly #api = inject(Api);
  readonly #now = inject(Now);
  readonly #latest = signal<readonly ReceiptSummary[] | undefined>(undefined);
  readonly #wrong = signal<readonly ReceiptSummary[]>([]);
  readonly #more = signal<ReadonlySet<string>>(new Set());
  readonly #failure = signal<ApiError | undefined>(undefined);

  readonly failure = this.#failure.asReadonly();
  readonly isLoaded = computed(() => this.#latest() !== undefined);
  readonly latest = computed(() => (this.#latest() ?? []).slice(0, SHOWN));
  readonly wrong = computed(() => wrongSince(this.#wrong(), startOfDay(this.#now.ms())));

  constructor() {
    const stream = inject(EventStream);
    const until = inject(DestroyRef);
    void this.load();
    const following = stream.heard.subscribe((event) => {
      if (event.type === 'resync') void this.load();
      else {
        this.#latest.update((receipts) => (receipts === undefined ? receipts : foldReceipts(receipts, event)));
        this.#wrong.update((receipts) => foldReceipts(receipts, event));
      }
    });
    whenBack(() => this.load(), this.#failure);
    until.onDestroy(() => {
      following.unsubscribe();
    });
  }

  /** True when there are more of this outcome than were read. */
  isMore(outcome: string): boolean {
    return this.#more().has(outcome);
  }

  async load(): Promise<void> {
    const from = startOfDay(Date.now());
    try {
      const [latest, ...wrong] = await Promise.all([
        this.#api.get<Page<ReceiptSummary>>(`receipts${queryOf({ limit: SHOWN })}`),
        ...WRONG.map((outcome) => this.#api.get<Page<ReceiptSummary>>(`receipts${queryOf({ outcome, from, limit: PAGE })}`)),
      ]);
      this.#latest.set(latest.items);
      this.#wrong.set(wrong.flatMap(({ items }) => items).sort((one, other) => other.at - one.at));
      this.#more.set(new Set(WRONG.filter((_, index) => wrong[index]?.next != null)));
      this.#failure.set(undefined);
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    }
  }
}

/** Newest first; a receipt is told once. Pure. */
export function foldReceipts(receipts: readonly ReceiptSummary[], event: AppEvent): readonly ReceiptSummary[] {
  if (event.type !== 'receipt.written' || receipts.some((one) => one.id === event.receipt.id)) return receipts;
  return [event.receipt, ...receipts].slice(0, KEPT);
}

/** What did not end well since a moment. Pure. */
export function wrongSince(receipts: readonly ReceiptSummary[], since: number): readonly ReceiptSummary[] {
  return receipts.filter((one) => one.at >= since && WRONG.some((outcome) => outcome === one.outcome));
}

function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
