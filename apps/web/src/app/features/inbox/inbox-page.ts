import {
  Component,
  DestroyRef,
  type ElementRef,
  computed,
  effect,
  inject,
  signal,
  untracked,
  viewChild,
  viewChildren,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatTabLink, MatTabNav, MatTabNavPanel } from '@angular/material/tabs';
import { ActivatedRoute, NavigationEnd, Router, RouterLink, RouterOutlet } from '@angular/router';
import { filter, map } from 'rxjs';
import { RISKS } from '#contracts';
import type { Ask, AskId } from '#contracts';
import { byUrgency } from '../../core/fold-asks.js';
import { Keys } from '../../core/keys.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Plans } from '../../core/plans.js';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { Workspaces } from '../../core/workspaces.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Skeleton } from '../../shared/skeleton.js';
import { leftOut } from './batch.js';
import { AskRow } from './ask-row.js';
import { InboxStore, VIEWS } from './inbox.store.js';
import type { View } from './inbox.store.js';

interface Group {
  readonly title: string;
  readonly asks: readonly Ask[];
}

const ORDERS = ['risk', 'left', 'newest'] as const;
type Order = (typeof ORDERS)[number];
const ORDER_WORDS = { risk: 'sorted_by_risk', left: 'sorted_by_left', newest: 'sorted_by_newest' } as const satisfies Record<
  Order,
  WordKey
>;
const BY: Readonly<Record<Order, (a: Ask, b: Ask) => number>> = {
  risk: byUrgency,
  left: (a, b) => a.expiresAt - b.expiresAt,
  newest: (a, b) => b.createdAt - a.createdAt,
};

const WIDE = '(min-width: 1024px)';

/** The list of asks beside the open one. View and filter stand in the address; the open ask is the child route. */
@Component({
  selector: 'cs-inbox-page',
  imports: [AskRow, Empty, Failure, MatTabLink, MatTabNav, MatTabNavPanel, RouterLink, RouterOutlet, Skeleton],
  providers: [InboxStore],
  templateUrl: './inbox-page.html',
  styleUrl: './inbox-page.css',
})
export class InboxPage {
  readonly #router = inject(Router);
  readonly #route = inject(ActivatedRoute);
  readonly #workspaces = inject(Workspaces);
  readonly #me = inject(Me);
  readonly #plans = inject(Plans);
  private readonly listRef = viewChild<ElementRef<HTMLElement>>('rows');
  private readonly filterBoxRef = viewChild<ElementRef<HTMLInputElement>>('filterBox');
  private readonly rowsRefs = viewChildren(AskRow);
  protected readonly store = inject(InboxStore);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly views = VIEWS;
  protected readonly risks = RISKS.filter((risk) => risk !== 'blocked');
  readonly #params = toSignal(this.#route.queryParamMap, { requireSync: true });
  readonly #url = toSignal(
    this.#router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map((event) => event.urlAfterRedirects),
    ),
    { initialValue: this.#router.url },
  );

  protected readonly view = computed<View>(() => VIEWS.find((view) => view === this.#params().get('view')) ?? 'me');
  protected readonly text = computed(() => this.#params().get('q') ?? '');
  protected readonly risk = computed(() => this.#params().get('risk') ?? '');
  protected readonly orders = ORDERS;
  protected readonly orderWords = ORDER_WORDS;
  protected readonly order = computed<Order>(() => ORDERS.find((one) => one === this.#params().get('order')) ?? 'risk');
  protected readonly selecting = signal(false);
  protected readonly isFiltering = signal(false);
  protected readonly openId = computed(() => /^\/asks\/([^/?#]+)/.exec(this.#url())?.[1] as AskId | undefined);
  protected readonly isBatch = computed(() => this.#url().startsWith('/inbox/batch'));
  protected readonly query = computed<Readonly<Record<string, string>>>(() => {
    const entries = [
      ['view', this.view() === 'me' ? '' : this.view()],
      ['q', this.text()],
      ['risk', this.risk()],
      ['order', this.order() === 'risk' ? '' : this.order()],
    ] as const;
    return Object.fromEntries(entries.filter(([, value]) => value !== ''));
  });
  protected readonly groups = computed<readonly Group[]>(() => {
    const groups: readonly Group[] =
      this.view() === 'decided'
        ? [{ title: '', asks: this.store.closed() }]
        : this.view() === 'all'
          ? [
              { title: this.t('waiting_for_you'), asks: this.store.mine() },
              { title: this.t('waiting_for_others'), asks: this.store.others() },
            ]
          : [{ title: '', asks: this.store.mine() }];
    return groups
      .map((group) => ({ ...group, asks: this.#ordered(group.asks.filter((ask) => this.#matches(ask))) }))
      .filter((group) => group.asks.length > 0);
  });
  protected readonly flat = computed(() => this.groups().flatMap((group) => group.asks));
  protected readonly reachableId = computed(() => {
    const open = this.openId();
    return this.flat().some((ask) => ask.id === open) ? open : this.flat()[0]?.id;
  });
  protected readonly hasDangerous = computed(() => this.flat().some((ask) => ask.status === 'open' && ask.risk === 'high'));
  protected readonly counts = computed<Readonly<Record<View, string>>>(() => ({
    me: String(this.store.mine().filter((ask) => ask.status === 'open').length),
    all: String(this.store.shown().filter((ask) => ask.status === 'open').length),
    decided: '',
  }));

  constructor() {
    const place = inject(Place);
    place.at(() => {
      const title = this.t('inbox');
      const at = this.flat().findIndex((ask) => ask.id === this.openId());
      const small = at < 0 ? this.t('ask') : this.t('ask_n_of', { n: at + 1, all: this.flat().length });
      if (this.isBatch()) {
        const back = { text: title, link: '/inbox' };
        return { title: this.t('batch_review'), path: [back], small: { title: this.t('batch_review'), back } };
      }
      return this.openId() === undefined ? { title } : { title, small: { title: small, back: { text: title, link: '/inbox' } } };
    });
    void this.store.start();
    effect(() => {
      if (this.view() === 'decided') untracked(() => void this.store.loadClosed());
    });
    this.#openFirst();
    inject(Keys).add(
      [
        { letter: 'j', word: 'key_next', act: () => this.#move(1) },
        { letter: 'k', word: 'key_previous', act: () => this.#move(-1) },
        { letter: 'o', word: 'key_open', act: () => this.#open() },
        { letter: 'x', word: 'key_select', act: () => this.#pick() },
        { letter: 'Shift+X', word: 'key_batch', act: () => this.#review() },
        { letter: 'n', word: 'key_new', act: () => this.#showFresh() },
        { letter: 'f', word: 'key_filter', act: () => this.filter() },
      ],
      inject(DestroyRef),
    );
  }

  protected workspaceOf(ask: Ask): string {
    return this.#workspaces.nameOf(ask.workspaceId);
  }

  protected set(change: Readonly<Record<string, string | null>>): void {
    void this.#router.navigate([], { relativeTo: this.#route, queryParams: change, queryParamsHandling: 'merge', replaceUrl: true });
  }

  /** Why an ask cannot be selected; empty when it can. */
  protected whyNot(ask: Ask): string {
    const why = leftOut(ask, this.#me.principal(), ask.planId === null ? undefined : this.#plans.peek(ask.planId));
    return why === undefined ? '' : this.t(why);
  }

  protected toggleSelecting(): void {
    if (this.selecting()) this.stopSelecting();
    else this.selecting.set(true);
  }

  protected stopSelecting(): void {
    this.selecting.set(false);
    this.store.unpick(this.store.picked());
  }

  protected filter(): void {
    this.isFiltering.set(true);
    setTimeout(() => this.filterBoxRef()?.nativeElement.focus());
  }

  protected closeFilter(): void {
    this.isFiltering.set(false);
    this.set({ q: null, risk: null });
    this.rowsRefs()[0]?.focus();
  }

  /** Decided asks leave only when neither pointer nor focus is in the list. */
  protected left(): void {
    const list = this.listRef()?.nativeElement;
    if (this.isBatch()) return;
    if (list === undefined || list.matches(':hover') || list.contains(document.activeElement)) return;
    this.store.settle();
  }

  /** On a wide screen the riskiest ask is open beside the list from the start. */
  #openFirst(): void {
    let isFirst = true;
    effect(() => {
      const ask = this.store.mine()[0];
      // A move that is on its way is not overtaken.
      if (!isFirst || !this.store.isLoaded() || this.#router.currentNavigation() !== null) return;
      isFirst = false;
      if (ask !== undefined && this.view() === 'me' && this.#url().startsWith('/inbox') && !this.isBatch() && matchMedia(WIDE).matches)
        untracked(() => void this.#router.navigate(['/asks', ask.id], { queryParams: this.query(), replaceUrl: true }));
    });
  }

  /** Decided asks move with the rest only when the person orders anew; by risk the list stays as it was loaded. */
  #ordered(asks: readonly Ask[]): readonly Ask[] {
    return this.view() === 'decided' || this.order() === 'risk' ? asks : [...asks].sort(BY[this.order()]);
  }

  #pick(): void {
    const row = this.rowsRefs().find((one) => one.hasFocus) ?? this.rowsRefs().find((one) => one.current());
    this.selecting.set(true);
    if (row !== undefined && this.view() !== 'decided' && this.whyNot(row.ask()) === '') this.store.pick(row.ask().id);
  }

  #review(): void {
    if (this.store.picked().length > 0) void this.#router.navigate(['/inbox/batch'], { queryParamsHandling: 'preserve' });
  }

  #showFresh(): void {
    if (!this.isBatch()) this.store.showFresh();
  }

  #matches(ask: Ask): boolean {
    if (this.risk() !== '' && ask.risk !== this.risk()) return false;
    const text = this.text().trim().toLowerCase();
    if (text === '') return true;
    return [ask.title, ask.summary, ask.requesterName, this.workspaceOf(ask)].some((part) => part.toLowerCase().includes(text));
  }

  #move(step: 1 | -1): void {
    const rows = this.rowsRefs();
    const focused = rows.findIndex((row) => row.hasFocus);
    const from = focused >= 0 ? focused : rows.findIndex((row) => row.current());
    const next = from >= 0 ? from + step : 0;
    rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
  }

  #open(): void {
    const row = this.rowsRefs().find((one) => one.hasFocus) ?? this.rowsRefs().find((one) => one.reachable());
    if (row !== undefined) void this.#router.navigate(['/asks', row.ask().id], { queryParams: this.query() });
  }
}
