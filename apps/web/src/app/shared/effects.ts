import { Component, input } from '@angular/core';
import type { Effect } from '#contracts';
import { Mark } from './mark.js';

/** What a stage does, at the right of its row. */
@Component({
  selector: 'cs-effects',
  imports: [Mark],
  template: `
    @for (effect of effects(); track effect) {
      <cs-mark set="effect" [value]="effect" look="thin" />
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      justify-content: flex-end;
      gap: 2px 14px;
      padding-top: 3px;
      font-size: 13px;
    }
  `,
})
export class Effects {
  readonly effects = input.required<readonly Effect[]>();
}
