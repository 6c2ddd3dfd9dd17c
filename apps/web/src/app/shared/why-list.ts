import { Component, computed, input } from '@angular/core';
import type { Decision } from '#contracts';
import { Text } from './text.js';

/** Each rule that fired, with its reason. */
@Component({
  selector: 'cs-why-list',
  imports: [Text],
  template: `
    <ul>
      @for (row of rows(); track $index) {
        <li>
          <b><cs-text [text]="row.rule" /></b><br /><cs-text class="q" [text]="row.reason" />
        </li>
      }
    </ul>
  `,
  styles: `
    ul {
      display: grid;
      gap: 8px;
      font-size: 13px;
      line-height: 18px;
    }
    b {
      font-weight: 500;
    }
    .q {
      overflow-wrap: anywhere;
    }
  `,
})
export class WhyList {
  readonly decision = input.required<Pick<Decision, 'reasons' | 'rules'>>();
  protected readonly rows = computed(() => {
    const { reasons, rules } = this.decision();
    return reasons.map((reason, index) => ({ reason, rule: rules[index] ?? '' }));
  });
}
