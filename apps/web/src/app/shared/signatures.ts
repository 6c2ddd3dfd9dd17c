import { Component, input } from '@angular/core';
import { Icon } from './icon.js';
import type { Shape } from './shapes.js';
import { Text } from './text.js';

/** One line that is signed, or open. */
export interface Signature {
  readonly shape: Shape | null;
  readonly name: string;
  readonly note: string;
  readonly isOpen: boolean;
}

/** Who asked and who signs, as lines on paper. */
@Component({
  selector: 'cs-signatures',
  imports: [Icon, Text],
  host: { role: 'list', '[class.stacked]': 'stacked()' },
  template: `
    @for (line of lines(); track $index) {
      <div class="sig" role="listitem" [class.open]="line.isOpen">
        <div class="ln">
          @if (line.shape; as shape) {
            <cs-icon [shape]="shape" />
          } @else {
            <span aria-hidden="true">×</span>
          }
          <cs-text class="cut" [class.q]="line.isOpen" [text]="line.name" />
        </div>
        <div class="un num"><cs-text [text]="line.note" /></div>
      </div>
    }
  `,
  styles: `
    :host {
      display: flex;
      gap: 28px;
      min-width: 0;
    }
    .sig {
      flex: 1 1 0;
      min-width: 0;
      max-width: 220px;
    }
    .ln {
      display: flex;
      align-items: flex-end;
      gap: 8px;
      height: 24px;
      border-bottom: 1.5px solid var(--text);
      font: 500 14px/20px var(--sans);
      white-space: nowrap;
      overflow: hidden;
    }
    .ln cs-icon {
      margin-bottom: 3px;
    }
    .open .ln {
      border-bottom-color: var(--ink);
      color: var(--ink);
    }
    .un {
      font-size: 12px;
      line-height: 16px;
      padding-top: 4px;
      color: var(--text-3);
      white-space: normal;
    }
    @media (max-width: 767px) {
      :host {
        gap: 16px;
      }
      :host(.stacked) {
        display: grid;
        gap: 12px;
      }
      :host(.stacked) .sig {
        max-width: none;
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        border-bottom: 1.5px solid var(--text);
      }
      :host(.stacked) .ln {
        border: 0;
      }
    }
  `,
})
export class Signatures {
  /** On a small screen one line below the other, as on the receipt. */
  readonly stacked = input(false);
  readonly lines = input.required<readonly Signature[]>();
}
