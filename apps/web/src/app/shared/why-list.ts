import { Component, computed, inject, input } from '@angular/core';
import type { Decision } from '#contracts';
import { Words } from '../core/say.js';
import { Text } from './text.js';

/** Rules of the team's document are named so in a decision. */
const TEAM = /^document:/;

/** Each rule that fired, with its reason. */
@Component({
  selector: 'cs-why-list',
  imports: [Text],
  template: `
    <ul>
      @for (row of rows(); track $index) {
        <li>
          <b><cs-text [text]="row.rule" /></b>
          @if (row.isTeam) {
            <span class="q"> · {{ t('team_rule') }}</span>
          }
          <br /><cs-text class="q" [text]="row.reason" />
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
  protected readonly t = inject(Words).say;
  protected readonly rows = computed(() => {
    const { reasons, rules } = this.decision();
    return reasons.map((reason, index) => {
      const rule = rules[index] ?? '';
      return { reason, rule: rule.replace(TEAM, ''), isTeam: TEAM.test(rule) };
    });
  });
}
