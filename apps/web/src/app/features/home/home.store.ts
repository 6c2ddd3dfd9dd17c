import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { AppEvent, Page, ReceiptSummary } from '#contracts';
import { Api } from '../../core/api.js';
import type { ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { Now } from '../../core/now.js';

const KEPT = 200;
const WRONG: ReadonlySet<string> = new Set(['failed', 'timed_out', 'interrupted', 'unknown']);

/** Owner of the last receipts on the home page. */
@Service({ autoProvided: false })
export class HomeStore {
  readonly #api = inject(Api);
  readonly #now = inject(Now);
  readonly #receipts = signal<readonly ReceiptSummary[] | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);

  readonly failure = this.#failure.asReadonly();
  readonly isLoaded = computed(() => this.#receipts() !== undefined);
  readonly latest = computed(() => (this.#receipts() ?? []).slice(0, 6));
  readonly wrong = computed(() => wrongSince(this.#receipts() ?? [], startOfDay(this.#now.ms())));

  constructor() {
    const stream = inject(EventStream);
    const until = inject(DestroyRef);
    void this.load();
    const following = stream.heard.subscribe((event) => {
      if (event.type === 'resync') void this.load();
      else this.#receipts.update((receipts) => (receipts === undefined ? receipts : foldReceipts(receipts, event)));
    });
    until.onDestroy(() => {
      following.unsubscribe();
    });
  }

  async load(): Promise<void> {
    this.#failure.set(undefined);
    try {
      const page = await this.#api.get<Page<ReceiptSummary>>(`receipts?limit=100`);
      this.#receipts.set(page.items);
    } catch (thrown) {
      this.#failure.set(thrown as ApiError);
    }
  }
}

/** Newest first; a receipt is told once. Pure. */
export function foldReceipts(receipts: readonly ReceiptSummary[], event: AppEvent): readonly ReceiptSummary[] {
  if (event.type !== 'receipt.written' || receipts.some((one) => one.id === event.receipt.id)) return receipts;
  return [event.receipt, ...receipts].slice(0, KEPT);
}

/** What did not end well since a moment; what a person refused is no failure. */
export function wrongSince(receipts: readonly ReceiptSummary[], since: number): readonly ReceiptSummary[] {
  return receipts.filter((one) => one.at >= since && WRONG.has(one.outcome));
}

function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
