import { Component, inject, input } from '@angular/core';
import type { DiffLine } from '#contracts';
import { Words } from '../core/say.js';
import { Text } from './text.js';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: '+', removed: '−', skipped: '' };

/** Lines that came and went. Signs and words carry the meaning; colour only helps. */
@Component({
  selector: 'cs-diff',
  imports: [Text],
  template: `
    @for (line of lines(); track $index) {
      @if (line.kind === 'skipped') {
        <li class="skipped q">{{ words.many('n_equal_lines', +line.text) }}</li>
      } @else {
        <li [class]="line.kind">
          <span class="sign" aria-hidden="true">{{ signs[line.kind] }}</span>
          @if (line.kind !== 'same') {
            <span class="vh">{{ t(line.kind === 'added' ? 'line_added' : 'line_removed') }}: </span>
          }
          <code><cs-text [text]="line.text" /></code>
        </li>
      }
    } @empty {
      <li class="skipped q">{{ t('no_difference') }}</li>
    }
  `,
  host: { role: 'list' },
  styles: `
    :host {
      display: block;
      padding: 6px 0;
      border: 1px solid var(--line);
      border-radius: var(--r-2);
      background: var(--raised);
      font: 400 12.5px/20px var(--mono);
      min-width: 0;
    }
    li {
      display: grid;
      grid-template-columns: 30px minmax(0, 1fr);
      padding-right: 12px;
    }
    code {
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .sign {
      text-align: center;
      font-weight: 600;
    }
    .added {
      background: var(--ok-bg);
    }
    .added .sign {
      color: var(--ok-fg);
    }
    .removed {
      background: var(--danger-bg);
    }
    .removed .sign {
      color: var(--danger-fg);
    }
    .skipped {
      display: block;
      padding: 2px 12px 2px 30px;
      font: 400 12px/18px var(--sans);
    }
  `,
})
export class Diff {
  readonly lines = input.required<readonly DiffLine[]>();
  protected readonly signs = SIGNS;
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
}
