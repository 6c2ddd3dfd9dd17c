import { Component, input } from '@angular/core';
import { MatProgressBar } from '@angular/material/progress-bar';

/** How much of a limit is used: the figure in words, the bar only beside it. */
@Component({
  selector: 'cs-meter',
  imports: [MatProgressBar],
  template: `
    <span>{{ label() }}</span>
    <span class="num q">{{ text() }}</span>
    <mat-progress-bar mode="determinate" [value]="share() * 100" [attr.aria-label]="label() + ': ' + text()" />
  `,
  styles: `
    :host {
      --mat-progress-bar-active-indicator-color: var(--solid, var(--text-2));
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 3px 8px;
      font-size: 13px;
      line-height: 18px;
    }
    mat-progress-bar {
      grid-column: 1 / -1;
    }
  `,
})
export class Meter {
  readonly label = input.required<string>();
  readonly text = input.required<string>();
  /** From 0 to 1. */
  readonly share = input.required<number>();
}
