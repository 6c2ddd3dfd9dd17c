import { Component, input } from '@angular/core';
import { Icon } from './icon.js';
import type { Shape } from './shapes.js';

/** An empty place: one sentence why, and at most one action as content. */
@Component({
  selector: 'cs-empty',
  imports: [Icon],
  template: `
    <cs-icon [shape]="shape()" />
    <p>{{ text() }}</p>
    <ng-content />
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 10px 12px;
      padding: 10px 0;
      color: var(--text-2);
      font-size: 13px;
      max-width: 60ch;
    }
    cs-icon {
      color: var(--text-3);
    }
  `,
})
export class Empty {
  readonly shape = input<Shape>('check');
  readonly text = input.required<string>();
}
