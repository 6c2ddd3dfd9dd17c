import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Plan, Run } from '#contracts';
import { Now } from '../core/now.js';
import { Words } from '../core/say.js';
import { oneLine } from '../core/text/argv-text.js';
import { clockDuration } from '../core/time-text.js';
import { Mark } from './mark.js';
import { Text } from './text.js';

/** One run in a list: what runs, where, for how long. */
@Component({
  selector: 'cs-run-row',
  imports: [Mark, RouterLink, Text],
  host: { role: 'listitem' },
  template: `
    <a [routerLink]="['/runs', run().id]">
      <cs-text class="c cut" [text]="command()" />
      <cs-mark set="run" [value]="run().outcome ?? run().status" look="thin" />
      <span class="w cut"><cs-text [text]="plan()?.ownerName ?? ''" /> · <cs-text [text]="workspace()" /></span>
      <span class="num q">{{ time() }}</span>
      <span class="meter live" aria-hidden="true"><i [style.width.%]="share() * 100"></i></span>
    </a>
  `,
  styles: `
    :host {
      display: block;
      border-bottom: 1px solid var(--line-soft);
    }
    a {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 2px 12px;
      padding: 10px 8px;
      margin: 0 -8px;
      color: inherit;
      text-decoration: none;
      border-radius: var(--r-1);
    }
    a:hover {
      background: var(--sunken);
    }
    .c {
      font: 400 13px/20px var(--mono);
      font-variant-ligatures: none;
    }
    .w,
    .num {
      font-size: 12px;
      line-height: 16px;
      color: var(--text-3);
    }
    .num {
      text-align: right;
    }
    cs-mark {
      font-size: 13px;
    }
    .meter {
      grid-column: 1 / -1;
      height: 3px;
      border-radius: 2px;
      background: var(--sunken);
      box-shadow: inset 0 0 0 1px var(--line);
      overflow: hidden;
    }
    .meter i {
      display: block;
      height: 100%;
      background: var(--solid);
    }
  `,
})
export class RunRow {
  readonly #now = inject(Now);
  readonly run = input.required<Run>();
  readonly plan = input<Plan>();
  readonly workspace = input('');
  protected readonly t = inject(Words).say;
  protected readonly command = computed(() => {
    const plan = this.plan();
    return plan === undefined ? this.run().id : oneLine(plan.body.stages);
  });
  readonly #spent = computed(() => (this.run().endedAt ?? this.#now.ms()) - this.run().startedAt);
  readonly #limit = computed(() => this.plan()?.body.limits.timeoutMs ?? 0);
  protected readonly share = computed(() => (this.#limit() === 0 ? 0 : Math.min(1, this.#spent() / this.#limit())));
  protected readonly time = computed(() =>
    this.#limit() === 0
      ? clockDuration(this.#spent())
      : this.t('of', { part: clockDuration(this.#spent()), whole: clockDuration(this.#limit()) }),
  );
}
