import { Component, computed, inject, input } from '@angular/core';
import type { StageFacts, Touch } from '#contracts';
import { Words } from '../core/say.js';
import { Mark } from './mark.js';
import { Text } from './text.js';
import { touchName } from './touch-name.js';

/** What a command may touch, as the analysis found it: target, effect, what is known now. */
@Component({
  selector: 'cs-touch-table',
  imports: [Mark, Text],
  template: `
    @if (rows().length === 0) {
      <p class="fact q">{{ t('touches_nothing') }}</p>
    } @else {
      <table class="t">
        <thead>
          <tr>
            <th scope="col">{{ t('touch_target') }}</th>
            <th scope="col">{{ t('touch_effect') }}</th>
            <th scope="col">{{ t('touch_known') }}</th>
          </tr>
        </thead>
        <tbody>
          @for (row of rows(); track $index) {
            <tr>
              <td class="target"><cs-text [text]="nameOf(row)" /></td>
              <td><cs-mark set="touch" [value]="row.role" look="thin" /></td>
              <td><cs-text [text]="row.note" /></td>
            </tr>
          }
        </tbody>
      </table>
    }
    @if (isGuess()) {
      <p class="fact caution guess">{{ t('not_understood') }}</p>
    }
  `,
  styles: `
    .target {
      font: 400 12.5px/20px var(--mono);
      font-variant-ligatures: none;
      overflow-wrap: anywhere;
      min-width: 13ch;
    }
    td {
      overflow-wrap: anywhere;
    }
    .guess {
      color: var(--fg);
      padding-top: 6px;
    }
  `,
})
export class TouchTable {
  readonly facts = input.required<readonly StageFacts[]>();
  /** The workspace's own folder; paths inside it are shown from there. */
  readonly root = input('');

  protected readonly t = inject(Words).say;
  protected readonly rows = computed<readonly Touch[]>(() => unique(this.facts().flatMap((stage) => stage.touches)));
  protected readonly isGuess = computed(() => this.facts().some((stage) => !stage.understood));

  protected nameOf(touch: Touch): string {
    return touchName(touch, this.root());
  }
}

function unique(touches: readonly Touch[]): readonly Touch[] {
  return [...new Map(touches.map((touch) => [`${touch.kind} ${touch.role} ${touch.target} ${touch.note}`, touch])).values()];
}
