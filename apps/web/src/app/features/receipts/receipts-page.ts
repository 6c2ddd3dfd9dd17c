import { CdkFixedSizeVirtualScroll, CdkVirtualForOf, CdkVirtualScrollViewport } from '@angular/cdk/scrolling';
import { BreakpointObserver } from '@angular/cdk/layout';
import { Component, DestroyRef, ElementRef, afterNextRender, computed, effect, inject, untracked, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { map } from 'rxjs';
import { RUN_OUTCOMES } from '#contracts';
import type { ReceiptSummary } from '#contracts';
import { Keys } from '../../core/keys.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { lookOf } from '../../shared/mark-sets.js';
import { ReceiptRow } from '../../shared/receipt-row.js';
import { Skeleton } from '../../shared/skeleton.js';
import { ReceiptsStore } from './receipts.store.js';

const NARROW = '(max-width: 1023px)';
const WAIT_MS = 200;
const AHEAD = 30;

/** Every receipt, newest first; search and outcome stand in the address. */
@Component({
  selector: 'cs-receipts-page',
  imports: [CdkFixedSizeVirtualScroll, CdkVirtualForOf, CdkVirtualScrollViewport, Empty, Failure, ReceiptRow, Skeleton],
  providers: [ReceiptsStore],
  templateUrl: './receipts-page.html',
  styleUrl: './receipts-page.css',
})
export class ReceiptsPage {
  readonly #router = inject(Router);
  readonly #route = inject(ActivatedRoute);
  private readonly boxRef = viewChild.required<ElementRef<HTMLInputElement>>('box');
  private readonly viewportRef = viewChild<CdkVirtualScrollViewport, ElementRef<HTMLElement>>(CdkVirtualScrollViewport, {
    read: ElementRef,
  });
  protected readonly store = inject(ReceiptsStore);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly outcomes = [...RUN_OUTCOMES, 'blocked', 'rejected', 'recorded'] as const;
  readonly #params = toSignal(this.#route.queryParamMap, { requireSync: true });
  protected readonly q = computed(() => this.#params().get('q') ?? '');
  protected readonly outcome = computed(() => this.#params().get('outcome') ?? '');
  /** Rows have one height each, so that thousands cost nothing. */
  protected readonly rowHeight = toSignal(
    inject(BreakpointObserver)
      .observe(NARROW)
      .pipe(map((state) => (state.matches ? 82 : 41))),
    { initialValue: matchMedia(NARROW).matches ? 82 : 41 },
  );
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    inject(Place).at(() => ({ title: this.t('receipts') }));
    effect(() => {
      const query = { q: this.q(), outcome: this.outcome() };
      untracked(() => void this.store.load(query));
    });
    const wantsFind = (this.#router.currentNavigation()?.extras.state as { readonly find?: boolean } | undefined)?.find === true;
    afterNextRender(() => {
      if (wantsFind) setTimeout(() => this.boxRef().nativeElement.focus());
    });
    inject(Keys).add(
      [
        { letter: '/', word: 'key_search', act: () => this.boxRef().nativeElement.focus() },
        { letter: 'j', word: 'key_next', act: () => this.#move(1) },
        { letter: 'k', word: 'key_previous', act: () => this.#move(-1) },
      ],
      inject(DestroyRef),
    );
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(this.#timer);
    });
  }

  protected wordOf(outcome: string): string {
    const look = lookOf('receipt', outcome);
    return look === undefined ? outcome : this.t(look.word);
  }

  protected type(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.set({ q: text === '' ? null : text });
    }, WAIT_MS);
  }

  protected set(change: Readonly<Record<string, string | null>>): void {
    void this.#router.navigate([], { relativeTo: this.#route, queryParams: change, queryParamsHandling: 'merge', replaceUrl: true });
  }

  protected scrolled(index: number): void {
    if (index + AHEAD >= this.store.items().length) void this.store.more();
  }

  protected idOf(_index: number, receipt: ReceiptSummary): string {
    return receipt.id;
  }

  #move(step: 1 | -1): void {
    const links = [...(this.viewportRef()?.nativeElement.querySelectorAll('a') ?? [])] as HTMLElement[];
    const at = links.findIndex((link) => link === document.activeElement);
    links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + step))]?.focus();
  }
}
