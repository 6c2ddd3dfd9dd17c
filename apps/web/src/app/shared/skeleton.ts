import { Component, computed, input } from '@angular/core';

/** The real layout before its facts are there, shown only when they take longer than a moment. */
@Component({
  selector: 'cs-skeleton',
  host: { 'aria-hidden': 'true' },
  template: `
    @for (width of widths(); track $index) {
      <span [style.width.%]="width"></span>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: 12px;
      padding: 12px 0;
      opacity: 0;
      animation: show 1ms linear 150ms forwards;
    }
    span {
      height: 14px;
      border-radius: var(--r-1);
      background: var(--sunken);
    }
    @keyframes show {
      to {
        opacity: 1;
      }
    }
    @media (prefers-reduced-motion: reduce) {
      :host {
        opacity: 1;
      }
    }
  `,
})
export class Skeleton {
  readonly lines = input(4);
  protected readonly widths = computed(() => Array.from({ length: this.lines() }, (_, index) => [62, 88, 45, 74][index % 4] ?? 60));
}
