import { Component, ElementRef, computed, inject, input, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Ask } from '#contracts';
import { Words } from '../../core/say.js';
import { findings } from '../../core/text/hidden.js';
import { Countdown } from '../../shared/countdown.js';
import { Due } from '../../shared/due.js';
import { Icon } from '../../shared/icon.js';
import { MARKS } from '../../shared/mark-sets.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';

/** One ask in the list: risk, title made of facts, command start, who, time left. A decided one shows how it ended. */
@Component({
  selector: 'cs-ask-row',
  imports: [Countdown, Due, Icon, RouterLink, Text, Time],
  host: { role: 'listitem' },
  template: `
    @if (selecting()) {
      <label class="box" [title]="whyNot()">
        <input
          type="checkbox"
          [checked]="picked()"
          [disabled]="whyNot() !== ''"
          [attr.aria-label]="t('select_ask', { title: ask().title }) + (whyNot() === '' ? '' : '. ' + whyNot())"
          (change)="pick.emit()"
        />
      </label>
    }
    <a
      class="row"
      [class]="look().family"
      [routerLink]="['/asks', ask().id]"
      [queryParams]="query()"
      [attr.tabindex]="reachable() ? 0 : -1"
      [attr.aria-current]="current() ? 'true' : null"
    >
      <cs-icon [shape]="look().shape" />
      <span class="t cut"
        ><span class="vh">{{ t(look().word) }}. </span><cs-text [text]="ask().title"
      /></span>
      @if (ask().status === 'open') {
        <span class="left">
          @if (ask().dueAt; as due) {
            <cs-due [at]="due" [short]="true" />
          }
          <cs-countdown [short]="true" [from]="ask().createdAt" [until]="ask().expiresAt" />
        </span>
      } @else {
        <cs-time class="left" [at]="ask().resolvedAt ?? ask().expiresAt" />
      }
      <cs-text class="c cut" [text]="ask().summary" />
      <cs-text class="w cut" [text]="note()" />
    </a>
  `,
  styles: `
    :host {
      display: flex;
      border-bottom: 1px solid var(--line-soft);
    }
    .box {
      display: grid;
      place-items: center;
      flex: 0 0 40px;
      cursor: pointer;
    }
    .box:has(:disabled) {
      cursor: not-allowed;
    }
    .box input {
      width: 16px;
      height: 16px;
      margin: 0;
    }
    .row {
      flex: 1;
      min-width: 0;
    }
    .box + .row {
      padding-left: 0;
    }
    .row {
      display: grid;
      grid-template-columns: 18px minmax(0, 1fr) auto;
      gap: 0 10px;
      padding: 9px 16px 10px 13px;
      border-left: 3px solid transparent;
      text-decoration: none;
      color: inherit;
      --knock: var(--canvas);
    }
    .row:hover {
      background: var(--sunken);
    }
    .row:focus-visible {
      outline-offset: -2px;
    }
    .row[aria-current] {
      background: var(--surface);
      border-left-color: var(--ink);
      --knock: var(--surface);
    }
    .row > cs-icon {
      margin-top: 2px;
      color: var(--fg);
    }
    .t {
      font-weight: 550;
    }
    .left {
      display: flex;
      gap: 6px;
      font-size: 12px;
      line-height: 20px;
    }
    .c,
    .w {
      grid-column: 2 / -1;
      font-size: 12px;
      line-height: 18px;
    }
    .c {
      font-family: var(--mono);
      font-variant-ligatures: none;
      color: var(--text-2);
    }
    .w {
      color: var(--text-3);
    }
    @media (max-width: 767px) {
      .box {
        flex-basis: 48px;
      }
      .box input {
        width: 20px;
        height: 20px;
      }
    }
    @media (forced-colors: active) {
      .row[aria-current] {
        outline: 2px solid Highlight;
      }
    }
  `,
})
export class AskRow {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef);
  readonly ask = input.required<Ask>();
  readonly workspace = input('');
  readonly current = input(false);
  /** One row of the list stands in the tab order; keys move from it. */
  readonly reachable = input(false);
  /** Boxes stand before the rows. */
  readonly selecting = input(false);
  readonly picked = input(false);
  /** Why this one cannot be selected; empty when it can. */
  readonly whyNot = input('');
  readonly pick = output();
  readonly query = input<Readonly<Record<string, string>>>({});

  protected readonly t = inject(Words).say;
  protected readonly look = computed(() => (this.ask().status === 'open' ? MARKS.risk[this.ask().risk] : MARKS.ask[this.ask().status]));
  protected readonly note = computed(() => {
    const ask = this.ask();
    const parts = [ask.requesterName, this.workspace()];
    if (ask.status !== 'open') parts.unshift(this.t(this.look().word));
    else if (ask.votes.length > 0) parts.unshift(this.t('votes_of', { n: ask.votes.length, all: ask.quorum }));
    if (findings([ask.summary, ask.title]).length > 0) parts.unshift(this.t('hidden_short'));
    return parts.filter((part) => part !== '').join(' · ');
  });

  focus(): void {
    this.#element.nativeElement.querySelector('a')?.focus();
  }

  get hasFocus(): boolean {
    return this.#element.nativeElement.contains(document.activeElement);
  }
}
