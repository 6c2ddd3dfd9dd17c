import { Component, computed, inject, input } from '@angular/core';
import type { PolicyExample, PolicyRule } from '#contracts';
import { Words } from '../../core/say.js';
import { quoteArgv } from '../../core/text/argv-text.js';
import { Mark } from '../../shared/mark.js';
import { Text } from '../../shared/text.js';
import { conditionsOf, termsOf } from './rule-facts.js';
import type { Condition } from './rule-facts.js';

const SHOWN = 6;

/** One rule in readable form: verdict and name, when it fits, what follows, why it stands there. */
@Component({
  selector: 'cs-rule',
  imports: [Mark, Text],
  host: { role: 'listitem' },
  template: `
    @let one = rule();
    <div class="head">
      <cs-mark set="rule" [value]="one.outcome ?? 'limits'" look="tag" />
      <h3><cs-text [text]="one.name" /></h3>
      @if (line()) {
        <span class="meta q num">{{ t('line_n', { n: one.line }) }}</span>
      }
    </div>
    @if (one.reason; as reason) {
      <p class="fact"><cs-text [text]="reason" /></p>
    }
    <dl class="kv">
      @for (condition of conditions(); track condition.word) {
        <dt>{{ t(condition.word) }}</dt>
        <dd>
          @for (value of first(condition); track $index) {
            <code class="chip"><cs-text [text]="value" /></code>
          }
          @if (rest(condition); as more) {
            @if (more.length > 0) {
              <details>
                <summary>{{ t('and_n', { n: more.length }) }}</summary>
                @for (value of more; track $index) {
                  <code class="chip"><cs-text [text]="value" /></code>
                }
              </details>
            }
          }
        </dd>
      } @empty {
        <dt>{{ t('when_head') }}</dt>
        <dd>{{ t('rule_every') }}</dd>
      }
      @if (terms().length > 0) {
        <dt>{{ t('then_head') }}</dt>
        <dd>
          @for (term of terms(); track $index) {
            <span class="term iso">{{ term }}</span>
          }
        </dd>
      }
    </dl>
    @if (examples().length > 0) {
      <details class="examples">
        <summary>{{ words.many('examples_n', examples().length) }}</summary>
        <ul>
          @for (example of examples(); track $index) {
            <li>
              <span class="q">{{ t(example.isMatch ? 'example_match' : 'example_not') }}</span>
              <code><cs-text [text]="example.text" /></code>
            </li>
          }
        </ul>
      </details>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: 6px;
      padding: 12px 16px 14px;
      min-width: 0;
    }
    :host:not(:first-child) {
      border-top: 1px solid var(--line-soft);
    }
    .head {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 4px 12px;
    }
    h3 {
      overflow-wrap: anywhere;
    }
    .fact {
      overflow-wrap: anywhere;
    }
    dd {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 4px;
    }
    .chip {
      font-size: 12.5px;
      border: 1px solid var(--line);
      border-radius: var(--r-1);
      padding: 0 6px;
      background: var(--surface);
      overflow-wrap: anywhere;
      min-width: 0;
    }
    .term:not(:last-child)::after {
      content: ' ·';
      color: var(--text-3);
    }
    details {
      min-width: 0;
    }
    details[open] {
      flex-basis: 100%;
    }
    dd details[open] summary {
      padding-bottom: 4px;
    }
    dd details .chip {
      display: inline-block;
      margin: 0 4px 4px 0;
    }
    summary {
      cursor: pointer;
      color: var(--ink);
      font-size: 12.5px;
    }
    .examples li {
      font-size: 12.5px;
      line-height: 20px;
      overflow-wrap: anywhere;
    }
  `,
})
export class RuleCard {
  readonly rule = input.required<PolicyRule>();
  /** Names the line of the text at which the rule stands. */
  readonly line = input(false);

  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly conditions = computed(() => conditionsOf(this.rule().match, this.words.lang()));
  protected readonly terms = computed(() => termsOf(this.rule(), this.words));
  protected readonly examples = computed(() => {
    const { match, notMatch } = this.rule().examples;
    return [
      ...match.map((one) => ({ isMatch: true, text: textOf(one) })),
      ...notMatch.map((one) => ({ isMatch: false, text: textOf(one) })),
    ];
  });

  protected first({ values }: Condition): readonly string[] {
    return values.slice(0, SHOWN);
  }

  protected rest({ values }: Condition): readonly string[] {
    return values.slice(SHOWN);
  }
}

function textOf({ command, argv }: PolicyExample): string {
  return command ?? quoteArgv(argv ?? []);
}
