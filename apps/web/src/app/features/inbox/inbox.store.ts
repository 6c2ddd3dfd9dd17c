import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Ask, AskId, Snapshot } from '#contracts';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { mayDecide } from '../../core/may-decide.js';
import { Me } from '../../core/me.js';
import { beginInbox, foldInbox, settle, showFresh } from './fold-inbox.js';
import type { InboxList } from './fold-inbox.js';

export const VIEWS = ['me', 'all', 'decided'] as const;
export type View = (typeof VIEWS)[number];

interface ClosedAsks {
  readonly items: readonly Ask[];
  readonly next?: string | null;
}

const PAGE = 50;

/** Owner of the inbox on screen. Only the server's lists and events change it; a vote does not. */
@Service({ autoProvided: false })
export class InboxStore {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #list = signal<InboxList | undefined>(undefined);
  readonly #closed = signal<ClosedAsks | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);

  readonly failure = this.#failure.asReadonly();
  readonly isLoaded = computed(() => this.#list() !== undefined);
  readonly shown = computed(() => this.#list()?.shown ?? []);
  /** Those that wait behind the button and that I may decide; others appear with the next load of the list. */
  readonly fresh = computed(() => this.#list()?.fresh ?? []);
  readonly mine = computed(() => this.shown().filter((ask) => ask.status !== 'open' || mayDecide(ask, this.#me.principal()) === 'yes'));
  readonly others = computed(() => this.shown().filter((ask) => ask.status === 'open' && mayDecide(ask, this.#me.principal()) !== 'yes'));
  readonly #picked = signal<readonly AskId[]>([]);
  /** Asks that the person selected, in the order of selection. */
  readonly picked = this.#picked.asReadonly();
  readonly closed = computed(() => this.#closed()?.items ?? []);
  readonly isClosedLoaded = computed(() => this.#closed() !== undefined);
  readonly hasMoreClosed = computed(() => (this.#closed()?.next ?? null) !== null);

  readonly start = inject(EventStream).follow(
    {
      load: async () => {
        const { items, seq } = await this.#api.get<Snapshot<Ask>>('asks?state=open&limit=500');
        this.#list.set(beginInbox(items));
        return seq;
      },
      apply: (event) => {
        this.#list.update((list) => (list === undefined ? list : foldInbox(list, event)));
        if (event.type === 'ask.closed' && this.#closed() !== undefined) void this.loadClosed();
      },
      failed: (failure) => {
        this.#failure.set(failure);
      },
    },
    inject(DestroyRef),
  );

  showFresh(): void {
    this.#list.update((list) => (list === undefined ? list : showFresh(list)));
  }

  find(id: AskId): Ask | undefined {
    return this.shown().find((ask) => ask.id === id);
  }

  pick(id: AskId): void {
    this.#picked.update((picked) => (picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id]));
  }

  unpick(ids: readonly AskId[]): void {
    this.#picked.update((picked) => picked.filter((id) => !ids.includes(id)));
  }

  settle(): void {
    this.#list.update((list) => (list === undefined ? list : settle(list)));
  }

  async loadClosed(): Promise<void> {
    await this.#page(null);
  }

  async moreClosed(): Promise<void> {
    await this.#page(this.#closed()?.next ?? null);
  }

  async #page(before: string | null): Promise<void> {
    try {
      const page = await this.#api.get<ClosedAsks>(`asks${queryOf({ state: 'closed', before, limit: PAGE })}`);
      this.#closed.update((closed) => ({
        items: before === null ? page.items : [...(closed?.items ?? []), ...page.items],
        next: page.next ?? null,
      }));
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    }
  }
}
