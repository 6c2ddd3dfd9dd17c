import { CdkFixedSizeVirtualScroll, CdkVirtualForOf, CdkVirtualScrollViewport } from '@angular/cdk/scrolling';
import { BreakpointObserver } from '@angular/cdk/layout';
import { Component, DestroyRef, ElementRef, afterNextRender, computed, effect, inject, untracked, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { map } from 'rxjs';
import { MatDialog } from '@angular/material/dialog';
import { DECISION_OUTCOMES, OUTCOMES as VERDICTS, RECEIPT_KINDS, RUN_OUTCOMES } from '#contracts';
import type { ReceiptKind, ReceiptSummary } from '#contracts';
import { Keys } from '../../core/keys.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import type { WordKey } from '../../core/words.js';
import { Workspaces } from '../../core/workspaces.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { lookOf } from '../../shared/mark-sets.js';
import { ReceiptRow } from '../../shared/receipt-row.js';
import { Skeleton } from '../../shared/skeleton.js';
import { ExportDialog } from './export-dialog.js';
import { isFiltered, isSpan, NAMES, SPANS, type ReceiptQuery, type Span } from './receipt-query.js';
import { ReceiptsStore } from './receipts.store.js';
import { VolumeChart } from './volume-chart.js';

const NARROW = '(max-width: 1023px)';
const WAIT_MS = 200;
const AHEAD = 30;

/** Every receipt, newest first; search and outcome stand in the address. */
@Component({
  selector: 'cs-receipts-page',
  imports: [CdkFixedSizeVirtualScroll, CdkVirtualForOf, CdkVirtualScrollViewport, Empty, Failure, Icon, ReceiptRow, Skeleton, VolumeChart],
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
  protected readonly outcomes = [...new Set([...RUN_OUTCOMES, ...DECISION_OUTCOMES, 'recorded'])];
  readonly #params = toSignal(this.#route.queryParamMap, { requireSync: true });
  protected readonly query = computed<ReceiptQuery>(() => {
    const value = (name: string): string => this.#params().get(name) ?? '';
    return {
      q: value('q'),
      outcome: value('outcome'),
      kind: value('kind'),
      verdict: value('verdict'),
      tool: value('tool'),
      workspace: value('workspace'),
      time: value('time'),
    };
  });
  protected readonly isFiltered = computed(() => isFiltered(this.query()));
  protected readonly span = computed(() => {
    const { time } = this.query();
    return isSpan(time) ? time : 'month';
  });
  protected readonly isChartShown = computed(() => this.#params().get('chart') === '1');
  protected readonly kinds = RECEIPT_KINDS;
  protected readonly verdicts = VERDICTS;
  protected readonly spans = Object.keys(SPANS) as readonly Span[];
  protected readonly spelled = spelled;
  protected readonly workspaces = inject(Workspaces);
  readonly #dialog = inject(MatDialog);
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
      const query = this.query();
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

  protected kindWord(kind: ReceiptKind): WordKey {
    return `kind_${kind}`;
  }

  protected verdictWord(verdict: (typeof VERDICTS)[number]): WordKey {
    return `verdict_${verdict}`;
  }

  protected timeWord(span: Span): WordKey {
    return `time_${span}`;
  }

  protected type(name: 'q' | 'tool', text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.set({ [name]: text === '' ? null : text });
    }, WAIT_MS);
  }

  protected set(change: Readonly<Record<string, string | null>>): void {
    void this.#router.navigate([], { relativeTo: this.#route, queryParams: change, queryParamsHandling: 'merge', replaceUrl: true });
  }

  protected clear(): void {
    this.set(Object.fromEntries(NAMES.map((name) => [name, null])));
  }

  protected openExport(): void {
    this.#dialog.open(ExportDialog, { data: this.query(), width: '520px' });
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
