import { Component, computed, effect, inject, input } from '@angular/core';
import { Announcer } from '../core/announcer.js';
import { Now } from '../core/now.js';
import { Words } from '../core/say.js';
import { durationText, shortDuration } from '../core/time-text.js';
import { Icon } from './icon.js';

/** Time left, ticking. Takes an alarm colour only in its last tenth; says so at ten minutes, one minute and the end. */
@Component({
  selector: 'cs-countdown',
  imports: [Icon],
  host: { role: 'timer', '[class]': 'look()' },
  template: `
    @if (!short()) {
      <cs-icon [shape]="leftMs() > 0 ? 'wait' : 'expired'" />
    }
    <span class="num">{{ text() }}</span>
  `,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: 6px;
      color: var(--text-2);
      font-weight: 500;
      white-space: nowrap;
    }
    :host(.soon) {
      color: var(--caution-fg);
      font-weight: 600;
    }
  `,
})
export class Countdown {
  readonly #now = inject(Now);
  readonly #words = inject(Words);
  readonly #announcer = inject(Announcer);
  readonly from = input.required<number>();
  readonly until = input.required<number>();
  /** In a row: one unit, no icon, not announced. */
  readonly short = input(false);

  protected readonly leftMs = computed(() => Math.max(0, this.until() - this.#now.ms()));
  protected readonly look = computed(() => (this.leftMs() <= (this.until() - this.from()) / 10 ? 'soon' : ''));
  protected readonly text = computed(() => {
    const lang = this.#words.lang();
    if (this.short()) return shortDuration(this.leftMs(), lang);
    return this.leftMs() === 0 ? this.#words.say('time_over') : this.#words.say('time_left', { time: durationText(this.leftMs(), lang) });
  });
  readonly #mark = computed(() =>
    this.leftMs() === 0 ? 'over' : this.leftMs() <= 60_000 ? 'one' : this.leftMs() <= 600_000 ? 'ten' : 'far',
  );

  constructor() {
    let last: string | undefined;
    effect(() => {
      const mark = this.#mark();
      if (last !== undefined && last !== mark && !this.short()) this.#announcer.say(this.text());
      last = mark;
    });
  }
}
