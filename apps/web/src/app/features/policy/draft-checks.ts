import { Component, computed, inject, input, output } from '@angular/core';
import type { PolicyCheck } from '#contracts';
import { Words } from '../../core/say.js';
import { Icon } from '../../shared/icon.js';
import { Mark } from '../../shared/mark.js';
import { Text } from '../../shared/text.js';

/** What the server says to a draft: problems and warnings at their lines, and whether each example does what it should. */
@Component({
  selector: 'cs-draft-checks',
  imports: [Icon, Mark, Text],
  template: `
    @let one = check();
    <div role="status">
      @if (one.issues.length > 0) {
        <p class="head danger"><cs-icon shape="fail" />{{ words.many('problems_n', one.issues.length) }}</p>
      } @else {
        <p class="head ok"><cs-icon shape="done" />{{ t('reads_well') }}</p>
      }
    </div>
    @for (group of groups(); track group.severity) {
      <ul [class]="group.severity === 'error' ? 'danger' : 'caution'">
        @for (issue of group.issues; track $index) {
          <li>
            <button class="link num" type="button" (click)="goTo.emit(issue.line)">{{ t('line_n', { n: issue.line }) }}</button>
            <span class="said"
              ><cs-text [text]="issue.message" />
              @if (issue.path) {
                <code class="q"> <cs-text [text]="issue.path" /></code>
              }
            </span>
          </li>
        }
      </ul>
    }
    <h3>{{ t('examples') }}</h3>
    @if (one.examples.length === 0) {
      <p class="fact q">{{ t('no_examples') }}</p>
    } @else {
      @if (bad().length === 0) {
        <p class="head ok"><cs-icon shape="done" />{{ words.many('examples_ok', one.examples.length) }}</p>
      } @else {
        <p class="head danger"><cs-icon shape="fail" />{{ words.many('examples_bad', bad().length) }}</p>
      }
      <ul class="examples">
        @for (example of one.examples; track $index) {
          <li [class]="example.ok ? 'ok' : 'danger'">
            <button class="link num" type="button" (click)="goTo.emit(example.line)">{{ t('line_n', { n: example.line }) }}</button>
            <span class="said">
              <code><cs-text [text]="example.text" /></code>
              <span class="meta q"
                ><cs-text [text]="example.rule" /> {{ t(example.kind === 'match' ? 'example_match' : 'example_not') }}:
                <b>{{ t(example.ok ? 'holds' : 'fails') }}</b> · <cs-mark set="outcome" [value]="example.outcome" look="thin"
              /></span>
            </span>
          </li>
        }
      </ul>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: 8px;
      align-content: start;
    }
    .head {
      display: flex;
      align-items: center;
      gap: 8px;
      font-weight: 600;
      font-size: 13px;
      color: var(--fg);
      --knock: var(--surface);
    }
    ul {
      display: grid;
      gap: 6px;
    }
    li {
      display: grid;
      grid-template-columns: 62px minmax(0, 1fr);
      gap: 0 10px;
      font-size: 13px;
      line-height: 20px;
    }
    li .link {
      text-align: left;
    }
    .said {
      overflow-wrap: anywhere;
      border-left: 2px solid var(--solid);
      padding-left: 10px;
    }
    .said .meta {
      display: flex;
      flex-wrap: wrap;
      gap: 0 6px;
    }
    .meta b {
      color: var(--fg);
    }
    code {
      font-size: 12.5px;
    }
    h3 {
      padding-top: 6px;
    }
  `,
})
export class DraftChecks {
  readonly check = input.required<PolicyCheck>();
  readonly goTo = output<number>();
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly groups = computed(() => [
    { severity: 'error' as const, issues: this.check().issues },
    { severity: 'warning' as const, issues: this.check().warnings },
  ]);
  protected readonly bad = computed(() => this.check().examples.filter((example) => !example.ok));
}
