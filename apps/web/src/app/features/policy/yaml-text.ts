import { Component, computed, input } from '@angular/core';
import { Text } from '../../shared/text.js';

/** A policy text to read: every line with its number, nothing hidden, nothing cut. */
@Component({
  selector: 'cs-yaml-text',
  imports: [Text],
  template: `
    <ol>
      @for (line of lines(); track $index) {
        <li>
          <span class="no" aria-hidden="true">{{ $index + 1 }}</span><code><cs-text [text]="line" /></code>
        </li>
      }
    </ol>
    <div class="foot"><ng-content /></div>
  `,
  styles: `
    :host {
      display: block;
      border: 1px solid var(--line);
      border-radius: var(--r-2);
      background: var(--raised);
      min-width: 0;
    }
    ol {
      padding: 8px 0;
    }
    li {
      display: grid;
      grid-template-columns: 42px minmax(0, 1fr);
      gap: 0 12px;
      padding-right: 14px;
      font: 400 12.5px/20px var(--mono);
    }
    .no {
      color: var(--text-3);
      text-align: right;
      font-size: 11.5px;
    }
    code {
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .foot:not(:empty) {
      display: flex;
      justify-content: flex-end;
      gap: 16px;
      padding: 6px 14px;
      border-top: 1px solid var(--line-soft);
      font-size: 12px;
    }
  `,
})
export class YamlText {
  readonly text = input.required<string>();
  protected readonly lines = computed(() => this.text().replace(/\n$/, '').split('\n'));
}
