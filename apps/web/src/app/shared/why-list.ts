import { Component, computed, input } from '@angular/core';
import type { Decision } from '#contracts';

/** Each rule that fired, with its reason. */
@Component({
  selector: 'cs-why-list',
  template: `
    <ul>
      @for (row of rows(); track $index) {
        <li>
          <b>{{ row.rule }}</b><br /><span class="q iso">{{ row.reason }}</span>
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
  readonly decision = input.required<Decision>();
  protected readonly rows = computed(() => {
    const { reasons, rules } = this.decision();
    return reasons.map((reason, index) => ({ reason, rule: rules[index] ?? '' }));
  });
}
