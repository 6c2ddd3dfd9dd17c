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
      display: grid;
      justify-items: start;
      gap: 10px;
      padding: 20px 0;
      color: var(--text-2);
      max-width: 60ch;
    }
    cs-icon {
      width: 20px;
      height: 20px;
      color: var(--text-3);
    }
  `,
})
export class Empty {
  readonly shape = input<Shape>('check');
  readonly text = input.required<string>();
}
