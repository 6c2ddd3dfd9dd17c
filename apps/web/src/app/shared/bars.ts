import { Component, DestroyRef, type ElementRef, computed, effect, inject, input, signal, viewChild } from '@angular/core';
import type { ECharts } from 'echarts/core';
import { Words } from '../core/say.js';
import { numberText } from '../core/time-text.js';

/** One series of bars. */
export interface Bars {
  readonly name: string;
  /** A family of the tokens, or `ink`. */
  readonly family: string;
  readonly values: readonly number[];
}

const HATCHED = { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 3], rotation: -Math.PI / 4, color: 'rgb(255 255 255 / 0.55)' };

/** Stacked bars over named steps. The same numbers stand in a table beside them, for who reads rather than looks. */
@Component({
  selector: 'cs-bars',
  template: `
    <figure [attr.aria-label]="label()">
      <figcaption>
        <span>{{ label() }}</span>
        @if (note(); as text) {
          <span class="num">{{ text }}</span>
        }
        <span class="grow"></span>
        @if (hasRows()) {
          <button class="link" type="button" [attr.aria-pressed]="isTable()" (click)="isTable.set(!isTable())">
            {{ t('chart_table') }}
          </button>
        }
      </figcaption>
      <ng-content />
      <div #canvas class="canvas" [class.off]="isTable() || !hasRows()" [class.low]="low()" aria-hidden="true"></div>
      @if (isTable() && hasRows()) {
        <div class="wide" tabindex="0" role="group" [attr.aria-label]="label()">
          <table class="t">
            <thead>
              <tr>
                <th scope="col">{{ head() }}</th>
                @for (one of bars(); track one.name) {
                  <th scope="col" class="num">{{ one.name }}</th>
                }
              </tr>
            </thead>
            <tbody>
              @for (row of rows(); track $index) {
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
      flex-wrap: wrap;
      gap: 0 12px;
      font: 500 12px/16px var(--sans);
      color: var(--text-3);
      padding-bottom: 4px;
    }
    .canvas {
      height: 156px;
    }
    .low {
      height: 118px;
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
export class BarsChart {
  readonly #words = inject(Words);
  private readonly canvasRef = viewChild.required<ElementRef<HTMLElement>>('canvas');
  readonly label = input.required<string>();
  /** A figure beside the label, for one glance. */
  readonly note = input('');
  /** What the steps are. */
  readonly head = input.required<string>();
  readonly steps = input.required<readonly string[]>();
  readonly bars = input.required<readonly Bars[]>();
  readonly low = input(false);
  /** Steps in time are read newest first, and those without anything are left out. */
  readonly inTime = input(false);
  protected readonly t = this.#words.say;
  protected readonly isTable = signal(false);
  protected readonly hasRows = computed(() => this.bars().some(({ values }) => values.some((value) => value > 0)));
  protected readonly rows = computed(() => {
    const rows = this.steps().map((label, step) => ({
      label,
      values: this.bars().map(({ values }) => numberText(values[step] ?? 0, this.#words.lang())),
    }));
    return this.inTime() ? rows.filter((row) => row.values.some((value) => value !== '0')).reverse() : rows;
  });
  readonly #chart = signal<ECharts | undefined>(undefined);
  /** Counts changes of the colours, which a drawn chart does not follow by itself. */
  readonly #repaint = signal(0);

  constructor() {
    const destroy = inject(DestroyRef);
    void import('./chart-kit.js').then(({ init }) => {
      if (!destroy.destroyed) this.#chart.set(init(this.canvasRef().nativeElement));
    });
    const sizes = new ResizeObserver(() => this.#chart()?.resize());
    effect(() => {
      sizes.observe(this.canvasRef().nativeElement);
    });
    const themes = new MutationObserver(() => {
      this.#repaint.update((count) => count + 1);
    });
    themes.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] });
    effect(() => {
      this.#repaint();
      this.#draw(this.#chart());
    });
    destroy.onDestroy(() => {
      sizes.disconnect();
      themes.disconnect();
      this.#chart()?.dispose();
    });
  }

  #draw(chart: ECharts | undefined): void {
    const bars = this.bars();
    const steps = [...this.steps()];
    if (chart === undefined || !this.hasRows()) return;
    const style = getComputedStyle(this.canvasRef().nativeElement);
    const colour = (token: string): string => style.getPropertyValue(token).trim();
    const axis = { axisLabel: { color: colour('--text-3'), fontSize: 11 }, axisTick: { show: false } };
    const isOne = bars.length === 1;
    chart.setOption(
      {
        animation: false,
        grid: { left: 36, right: 4, top: isOne ? 8 : 26, bottom: 22 },
        legend: { show: !isOne, top: 0, left: 0, itemWidth: 10, itemHeight: 10, textStyle: { color: colour('--text-2'), fontSize: 11 } },
        tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
        xAxis: { type: 'category', data: steps, ...axis, axisLine: { lineStyle: { color: colour('--line') } } },
        yAxis: { type: 'value', minInterval: 1, ...axis, splitNumber: 3, splitLine: { lineStyle: { color: colour('--line-soft') } } },
        series: bars.map(({ name, family, values }, index) => ({
          type: 'bar',
          stack: 'all',
          name,
          barMaxWidth: 36,
          data: [...values],
          itemStyle: {
            color: colour(family === 'ink' ? '--ink' : `--${family}-solid`) || colour('--text-3'),
            // Two outcomes of one family differ by more than their colour.
            ...(bars.findIndex((other) => other.family === family) < index ? { decal: HATCHED } : {}),
          },
        })),
      },
      { notMerge: true },
    );
    chart.resize();
  }
}
