import { Component, DestroyRef, type ElementRef, computed, effect, inject, input, resource, signal, viewChild } from '@angular/core';
import type { ReceiptCounts } from '#contracts';
import type { ECharts } from 'echarts/core';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { Words } from '../../core/say.js';
import { numberText } from '../../core/time-text.js';
import { Failure } from '../../shared/failure.js';
import { lookOf } from '../../shared/mark-sets.js';
import { SPANS, type Span } from './receipt-query.js';
import { stacked, type Stack } from './stacked.js';

/** How many receipts there were in each step of a time, by outcome. The same numbers stand in a table beside it. */
@Component({
  selector: 'cs-volume-chart',
  imports: [Failure],
  template: `
    <figure [attr.aria-label]="t('chart_receipts')">
      <figcaption>
        <span>{{ t('chart_receipts') }}</span>
        <span class="grow"></span>
        <button class="link" type="button" [attr.aria-pressed]="isTable()" (click)="isTable.set(!isTable())">{{ t('chart_table') }}</button>
      </figcaption>
      @if (failed(); as failure) {
        <cs-failure [failure]="failure" [retryable]="true" (retry)="counts.reload()" />
      } @else if (stack().names.length === 0 && counts.hasValue()) {
        <p class="q">{{ t('chart_empty') }}</p>
      }
      <div #canvas class="canvas" [class.off]="isTable() || stack().names.length === 0" aria-hidden="true"></div>
      @if (isTable() && stack().names.length > 0) {
        <div class="wide" tabindex="0">
          <table class="t">
            <thead>
              <tr>
                <th scope="col">{{ t('when') }}</th>
                @for (name of stack().names; track name) {
                  <th scope="col" class="num">{{ wordOf(name) }}</th>
                }
              </tr>
            </thead>
            <tbody>
              @for (row of rows(); track row.at) {
                <tr>
                  <th scope="row">{{ row.label }}</th>
                  @for (value of row.values; track $index) {
                    <td class="num">{{ value }}</td>
                  }
                </tr>
              }
            </tbody>
          </table>
        </div>
      }
    </figure>
  `,
  styles: `
    figure {
      margin: 0;
    }
    figcaption {
      display: flex;
      gap: 12px;
      font: 500 12px/16px var(--sans);
      color: var(--text-3);
      padding-bottom: 4px;
    }
    .canvas {
      height: 156px;
    }
    .off {
      display: none;
    }
    .wide {
      max-height: 200px;
      overflow: auto;
    }
    th,
    td {
      text-align: right;
    }
    th:first-child {
      text-align: left;
    }
  `,
})
export class VolumeChart {
  readonly #api = inject(Api);
  readonly #words = inject(Words);
  private readonly canvasRef = viewChild.required<ElementRef<HTMLElement>>('canvas');
  readonly span = input.required<Span>();
  protected readonly t = this.#words.say;
  protected readonly isTable = signal(false);
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
  protected readonly rows = computed(() => {
    const { steps, names, values } = this.stack();
    return steps
      .map((at, step) => ({
        at,
        label: this.#label(at),
        values: names.map((_, name) => numberText(values[name]?.[step] ?? 0, this.#words.lang())),
      }))
      .filter((row) => row.values.some((value) => value !== '0'))
      .reverse();
  });
  readonly #chart = signal<ECharts | undefined>(undefined);

  constructor() {
    const destroy = inject(DestroyRef);
    void import('./chart-kit.js').then(({ init }) => {
      if (!destroy.destroyed) this.#chart.set(init(this.canvasRef().nativeElement));
    });
    const watcher = new ResizeObserver(() => this.#chart()?.resize());
    effect(() => {
      watcher.observe(this.canvasRef().nativeElement);
    });
    effect(() => {
      this.#draw(this.#chart(), this.stack());
    });
    destroy.onDestroy(() => {
      watcher.disconnect();
      this.#chart()?.dispose();
    });
  }

  protected wordOf(name: string): string {
    const look = lookOf('receipt', name);
    return look === undefined ? name : this.t(look.word);
  }

  #draw(chart: ECharts | undefined, { steps, names, values }: Stack): void {
    if (chart === undefined || names.length === 0) return;
    const style = getComputedStyle(this.canvasRef().nativeElement);
    const colour = (token: string): string => style.getPropertyValue(token).trim();
    const axis = { axisLabel: { color: colour('--text-3'), fontSize: 11 }, axisTick: { show: false } };
    chart.setOption(
      {
        animation: false,
        grid: { left: 36, right: 4, top: 26, bottom: 22 },
        legend: { top: 0, left: 0, itemWidth: 10, itemHeight: 10, textStyle: { color: colour('--text-2'), fontSize: 11 } },
        tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
        xAxis: {
          type: 'category',
          data: steps.map((at) => this.#label(at)),
          ...axis,
          axisLine: { lineStyle: { color: colour('--line') } },
        },
        yAxis: { type: 'value', minInterval: 1, ...axis, splitLine: { lineStyle: { color: colour('--line') } } },
        series: names.map((name, index) => ({
          type: 'bar',
          stack: 'all',
          name: this.wordOf(name),
          data: values[index] ?? [],
          itemStyle: { color: colour(`--${lookOf('receipt', name)?.family ?? 'mute'}-solid`) || colour('--text-3') },
        })),
      },
      { notMerge: true },
    );
  }

  #label(at: number): string {
    const { stepMs } = SPANS[this.span()];
    const isDay = stepMs >= 86_400_000;
    const parts: Intl.DateTimeFormatOptions = isDay
      ? { day: 'numeric', month: 'short' }
      : { day: 'numeric', hour: '2-digit', minute: '2-digit' };
    return new Intl.DateTimeFormat(this.#words.lang() === 'zh' ? 'zh-CN' : 'en-GB', parts).format(at);
  }
}
