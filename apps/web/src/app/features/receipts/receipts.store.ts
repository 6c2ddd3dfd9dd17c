import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Page, ReceiptSummary } from '#contracts';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { toFilter, type ReceiptQuery } from './receipt-query.js';

const PAGE = 100;

/** Owner of the receipts list: pages as they are scrolled to, newest first. */
@Service({ autoProvided: false })
export class ReceiptsStore {
  readonly #api = inject(Api);
  readonly #items = signal<readonly ReceiptSummary[]>([]);
  readonly #next = signal<string | null>(null);
  readonly #isLoaded = signal(false);
  readonly #fresh = signal(0);
  readonly #failure = signal<ApiError | undefined>(undefined);
  #query: ReceiptQuery = { q: '', outcome: '', kind: '', verdict: '', tool: '', workspace: '', time: '' };
  #askedAt = 0;
  #round = 0;
  #isLoading = false;

  readonly items = this.#items.asReadonly();
  readonly isLoaded = this.#isLoaded.asReadonly();
  readonly failure = this.#failure.asReadonly();
  readonly hasMore = computed(() => this.#next() !== null);
  /** Receipts written since the list was loaded; shown when the person wants them. */
  readonly fresh = this.#fresh.asReadonly();

  constructor() {
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type === 'resync') void this.load(this.#query);
      else if (event.type === 'receipt.written') this.#fresh.update((count) => count + 1);
    });
    inject(DestroyRef).onDestroy(() => {
      following.unsubscribe();
      this.#round += 1;
    });
  }

  async load(query: ReceiptQuery): Promise<void> {
    this.#query = query;
    this.#askedAt = Date.now();
    this.#round += 1;
    this.#fresh.set(0);
    await this.#page(null, this.#round);
  }

  async more(): Promise<void> {
    const next = this.#next();
    if (next === null || this.#isLoading) return;
    await this.#page(next, this.#round);
  }

  again(): void {
    void this.load(this.#query);
  }

  async #page(before: string | null, round: number): Promise<void> {
    this.#isLoading = true;
    try {
      const page = await this.#api.get<Page<ReceiptSummary>>(
        `receipts${queryOf({ ...toFilter(this.#query, this.#askedAt), before, limit: PAGE })}`,
      );
      if (round !== this.#round) return;
      this.#items.update((items) => (before === null ? page.items : [...items, ...page.items]));
      this.#next.set(page.next);
      this.#isLoaded.set(true);
      this.#failure.set(undefined);
    } catch (thrown) {
      if (round === this.#round) this.#failure.set(ApiError.of(thrown));
    } finally {
      this.#isLoading = false;
    }
  }
}
