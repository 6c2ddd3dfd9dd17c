import { Component, inject, input } from '@angular/core';
import { Words } from '../core/say.js';
import { Text } from './text.js';

/** Somebody else's words: named, quoted, and marked as not checked. Never mixed with our own facts. */
@Component({
  selector: 'cs-said',
  imports: [Text],
  template: `
    <span class="q"><cs-text [text]="who()" />:</span> “<cs-text class="words" [text]="text()" />” <span class="q">{{ t('said') }}</span>
  `,
  styles: `
    :host {
      display: block;
      border-left: 2px solid var(--line);
      padding-left: 12px;
      color: var(--text-2);
      overflow-wrap: anywhere;
    }
  `,
})
export class Said {
  readonly who = input.required<string>();
  readonly text = input.required<string>();
  protected readonly t = inject(Words).say;
}
