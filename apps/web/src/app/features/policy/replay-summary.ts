import { Component, computed, inject, input } from '@angular/core';
import type { ReplayResult } from '#contracts';
import { Words } from '../../core/say.js';
import { numberText } from '../../core/time-text.js';

/** What a replay found, in one line of counts. */
@Component({
  selector: 'cs-replay-summary',
  template: `
    @let one = replay();
    <span>{{ t('replay_of', { plans: many('n_plans', one.plans, { n: number(one.plans) }), days: many('n_days', one.days) }) }}</span>
    @for (part of parts(); track $index) {
      <span [class]="part.family">{{ part.text }}</span>
    }
    @if (one.skipped > 0) {
      <span class="q">{{ t('n_skipped', { n: one.skipped }) }}</span>
    }
    @if (one.capped) {
      <span class="q">{{ t('replay_capped') }}</span>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      gap: 2px 14px;
      font-size: 13px;
      line-height: 20px;
    }
    .danger,
    .ok {
      color: var(--fg);
      font-weight: 600;
    }
  `,
})
export class ReplaySummary {
  readonly #words = inject(Words);
  readonly replay = input.required<ReplayResult>();
  protected readonly t = this.#words.say;
  protected readonly many = this.#words.many;
  protected readonly number = (value: number): string => numberText(value, this.#words.lang());
  protected readonly parts = computed(() => {
    const { looser, stricter, terms, unchanged } = this.replay();
    return [
      { family: looser > 0 ? 'danger' : 'q', text: this.t('n_looser', { n: looser }) },
      { family: stricter > 0 ? 'ok' : 'q', text: this.t('n_stricter', { n: stricter }) },
      ...(terms > 0 ? [{ family: '', text: this.t('n_terms', { n: terms }) }] : []),
      { family: 'q', text: this.t('n_unchanged', { n: this.number(unchanged) }) },
    ];
  });
}
