import { Component, DestroyRef, computed, inject, input, resource } from '@angular/core';
import type { ReceiptCounts } from '#contracts';
import { Api, ApiError, queryOf } from '../core/api.js';
import { EventStream } from '../core/event-stream.js';
import { Words } from '../core/say.js';
import { whenBack } from '../core/when-back.js';
import { numberText } from '../core/time-text.js';
import { BarsChart, type Bars } from './bars.js';
import { Failure } from './failure.js';
import { lookOf } from './mark-sets.js';
import { SPANS, type Span } from './spans.js';
import { stacked, type Stack } from './stacked.js';

/** Receipts come in bursts; the server is asked again once they pause. */
const SETTLE_MS = 1_000;

/** How many receipts there were in each step of a time, by outcome. */
@Component({
  selector: 'cs-volume-chart',
  imports: [BarsChart, Failure],
  template: `
    <cs-bars
      [label]="t('chart_receipts')"
      [note]="note()"
      [head]="t('when')"
      [steps]="labels()"
      [bars]="bars()"
      [low]="low()"
      [inTime]="true"
    >
      @if (failed(); as failure) {
        <cs-failure [failure]="failure" [retryable]="true" (retry)="counts.reload()" />
      } @else if (stack().names.length === 0 && counts.hasValue()) {
        <p class="q">{{ t('chart_empty') }}</p>
      }
    </cs-bars>
  `,
})
export class VolumeChart {
  readonly #api = inject(Api);
  readonly #words = inject(Words);
  readonly span = input.required<Span>();
  readonly low = input(false);
  protected readonly t = this.#words.say;
  protected readonly counts = resource({
    params: () => this.span(),
    loader: ({ params }) => {
      const { ms, stepMs } = SPANS[params];
      const to = Math.ceil(Date.now() / stepMs) * stepMs;
      return this.#api.get<ReceiptCounts>(`receipts/counts${queryOf({ from: to - ms, to, step: stepMs })}`);
    },
  });
  protected readonly failed = computed(() => {
    const error = this.counts.error();
    return error === undefined ? undefined : ApiError.of(error.cause ?? error);
  });
  protected readonly stack = computed<Stack>(() =>
    this.counts.hasValue() ? stacked(this.counts.value(), SPANS[this.span()], Date.now()) : { steps: [], names: [], values: [] },
  );
  /** All of them, for one glance. */
  protected readonly note = computed(() => {
    const total = this.stack()
      .values.flat()
      .reduce((sum, count) => sum + count, 0);
    return total === 0 ? '' : numberText(total, this.#words.lang());
  });
  protected readonly labels = computed(() => this.stack().steps.map((at) => this.#label(at)));
  protected readonly bars = computed<readonly Bars[]>(() => {
    const { names, values } = this.stack();
    return names.map((name, index) => {
      const look = lookOf('receipt', name);
      return { name: look === undefined ? name : this.t(look.word), family: look?.family ?? 'mute', values: values[index] ?? [] };
    });
  });

  constructor() {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type !== 'resync' && event.type !== 'receipt.written') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        this.counts.reload();
      }, SETTLE_MS);
    });
    whenBack(() => this.counts.reload(), this.failed);
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(timer);
      following.unsubscribe();
    });
  }

  #label(at: number): string {
    const { stepMs } = SPANS[this.span()];
    const parts: Intl.DateTimeFormatOptions =
      stepMs >= 86_400_000
        ? { day: 'numeric', month: 'short' }
        : this.span() === 'day'
          ? { hour: '2-digit', minute: '2-digit' }
          : { day: 'numeric', hour: '2-digit', minute: '2-digit' };
    return new Intl.DateTimeFormat(this.#words.lang() === 'zh' ? 'zh-CN' : 'en-GB', parts).format(at);
  }
}
