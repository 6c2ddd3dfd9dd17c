import { Component, computed, inject, input } from '@angular/core';
import { Words } from '../core/say.js';
import { Icon } from './icon.js';
import { lookOf } from './mark-sets.js';
import type { MarkSet } from './mark-sets.js';
import { Text } from './text.js';

/** One state as icon and word. A value that this console does not know is shown as it came, marked unknown. */
@Component({
  selector: 'cs-mark',
  imports: [Icon, Text],
  host: { '[class]': 'classes()' },
  template: `<cs-icon [shape]="known()?.shape ?? 'unk'" />
    @if (known(); as one) {
      <span>{{ t(one.word) }}</span>
    } @else {
      <cs-text [text]="value()" />
    }`,
  styles: `
    :host {
      display: inline-flex;
      align-items: baseline;
      gap: 6px;
      font-weight: 600;
      white-space: nowrap;
      color: var(--fg);
      vertical-align: bottom;
    }
    cs-icon {
      align-self: center;
    }
    :host(.tag) {
      background: var(--bg);
      border-radius: var(--r-1);
      padding: 2px 8px 2px 6px;
      font-size: 12px;
      line-height: 18px;
      --knock: var(--bg);
    }
    :host(.tag) cs-icon {
      width: 14px;
      height: 14px;
    }
    :host(.thin) {
      font-weight: 500;
    }
    @media (forced-colors: active) {
      cs-icon {
        align-self: center;
      }
      :host(.tag) {
        border: 1px solid CanvasText;
      }
    }
  `,
})
export class Mark {
  readonly set = input.required<MarkSet>();
  readonly value = input.required<string>();
  /** `tag` has a tinted ground; `thin` stands in running text. */
  readonly look = input<'plain' | 'tag' | 'thin'>('plain');

  protected readonly t = inject(Words).say;
  protected readonly known = computed(() => lookOf(this.set(), this.value()));
  protected readonly classes = computed(() => `${this.known()?.family ?? 'unknown'} ${this.look()}`);
}
