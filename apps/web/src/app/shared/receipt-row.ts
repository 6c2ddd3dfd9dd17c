import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ReceiptSummary } from '#contracts';
import { Words } from '../core/say.js';
import { numberText, tookText } from '../core/time-text.js';
import { Mark } from './mark.js';
import { Text } from './text.js';
import { Time } from './time.js';

/** One receipt in a list: how it ended, what it was, who asked and who signed. */
@Component({
  selector: 'cs-receipt-row',
  imports: [Mark, RouterLink, Text, Time],
  host: { role: 'listitem' },
  template: `
    <a [routerLink]="['/receipts', receipt().id]">
      <cs-mark class="o" set="receipt" [value]="receipt().outcome" look="thin" />
      <cs-text class="c cut" [class.prose]="receipt().command === ''" [text]="receipt().command || receipt().summary" />
      <span class="n num q">{{ number() }}</span>
      <span class="w cut"
        ><cs-text [text]="receipt().requesterName" />
        @if (signers()) {
          <span>, {{ t('signed_by', { names: signers() }) }}</span>
        }
        @if (receipt().workspaceName) {
          <span> · <cs-text [text]="receipt().workspaceName" /></span>
        }
      </span>
      <span class="d num q">{{ took() }}</span>
      <cs-time class="at q" [at]="receipt().at" />
    </a>
  `,
  styles: `
    :host {
      display: block;
      border-bottom: 1px solid var(--line-soft);
    }
    a {
      display: grid;
      grid-template-columns: 148px minmax(0, 2.2fr) minmax(0, 1.4fr) 74px 118px 74px;
      grid-template-areas: 'o c w d at n';
      gap: 0 14px;
      align-items: baseline;
      padding: 9px 8px;
      margin: 0 -8px;
      min-height: 40px;
      color: inherit;
      text-decoration: none;
      font-size: 13px;
      border-radius: var(--r-1);
    }
    a:hover {
      background: var(--sunken);
    }
    .o {
      grid-area: o;
    }
    .c {
      grid-area: c;
      font-family: var(--mono);
      font-variant-ligatures: none;
    }
    .c.prose {
      font-family: var(--sans);
    }
    .w {
      grid-area: w;
      color: var(--text-2);
    }
    .d {
      grid-area: d;
      text-align: right;
    }
    .at {
      grid-area: at;
      text-align: right;
    }
    .n {
      grid-area: n;
      text-align: right;
    }
    @media (max-width: 1023px) {
      a {
        grid-template-columns: minmax(0, 1fr) auto;
        grid-template-areas: 'c at' 'w d' 'o n';
        gap: 2px 12px;
      }
    }
  `,
})
export class ReceiptRow {
  readonly #words = inject(Words);
  readonly receipt = input.required<ReceiptSummary>();
  protected readonly t = this.#words.say;
  protected readonly number = computed(() => numberText(this.receipt().index, this.#words.lang()));
  protected readonly signers = computed(() => this.receipt().approverNames.join(', '));
  protected readonly took = computed(() => {
    const ms = this.receipt().durationMs;
    return ms === null ? '' : tookText(ms, this.#words.lang());
  });
}
