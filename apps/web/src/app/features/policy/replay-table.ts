import { Component, computed, inject, input, linkedSignal, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Outcome, ReplayChange, ReplayResult } from '#contracts';
import { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { Workspaces } from '../../core/workspaces.js';
import { Mark } from '../../shared/mark.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { replayRows } from './replay-rows.js';
import type { ReplayRow } from './replay-rows.js';

const VERDICTS: Readonly<Record<Outcome, WordKey>> = { allow: 'verdict_allow', ask: 'verdict_ask', deny: 'verdict_deny' };

/** Which plans of the last days would be judged otherwise: one row a command, looser first, each opens to its plans. */
@Component({
  selector: 'cs-replay-table',
  imports: [Mark, RouterLink, Text, Time],
  host: { role: 'list' },
  template: `
    @for (row of rows(); track row.key) {
      <div role="listitem" class="row" [class.seen]="isSeen(row)">
        <cs-mark set="change" [value]="row.change" look="thin" />
        <div class="what">
          <p class="mono cmd"><cs-text [text]="row.command" /></p>
          <p class="meta">
            {{ t('was_to', { was: t(verdicts[row.was]), would: t(verdicts[row.wouldBe]) }) }}
            @for (rule of row.rules; track $index) {
              <code class="q"> · <cs-text [text]="nameOf(rule)" /></code>
            }
          </p>
        </div>
        <button class="btn sm" type="button" [attr.aria-expanded]="isOpen(row)" (click)="toggle(row)">
          {{ many('n_plans', row.plans.length) }} <span class="q">{{ t(isOpen(row) ? 'hide_plans' : 'show_plans') }}</span>
        </button>
        @if (isOpen(row)) {
          <ul class="plans">
            @for (plan of row.plans; track plan.planId) {
              <li>
                <a [routerLink]="['/plans', plan.planId]"><cs-time [at]="plan.createdAt" /></a>
                <cs-text class="q" [text]="whereOf(plan)" />
              </li>
            }
          </ul>
        }
      </div>
    } @empty {
      <p class="fact q none" role="listitem">{{ t('replay_nothing') }}</p>
    }
    @if (isCut()) {
      <p class="meta caution none" role="listitem">{{ t('replay_more') }}</p>
    }
  `,
  styles: `
    :host {
      display: block;
      border: 1px solid var(--line);
      border-radius: var(--r-2);
      background: var(--raised);
      min-width: 0;
    }
    .row {
      display: grid;
      grid-template-columns: 118px minmax(0, 1fr) auto;
      gap: 4px 14px;
      align-items: start;
      padding: 10px 14px;
    }
    .row + .row,
    .row + .none {
      border-top: 1px solid var(--line-soft);
    }
    cs-mark {
      white-space: normal;
      font-size: 13px;
      line-height: 20px;
    }
    .seen > cs-mark {
      opacity: 0.75;
    }
    .cmd {
      font-size: 13px;
      overflow-wrap: anywhere;
    }
    .meta {
      color: var(--text-2);
      overflow-wrap: anywhere;
    }
    .plans li {
      display: flex;
      flex-wrap: wrap;
      gap: 0 10px;
    }
    .plans {
      grid-column: 2 / -1;
      display: grid;
      gap: 2px;
      font-size: 12.5px;
      line-height: 20px;
    }
    .none {
      padding: 10px 14px;
    }
    .none.caution {
      color: var(--fg);
    }
    @container (max-width: 520px) {
      .row {
        grid-template-columns: minmax(0, 1fr) auto;
      }
      .what {
        grid-column: 1 / -1;
        grid-row: 2;
      }
      .plans {
        grid-column: 1 / -1;
      }
    }
  `,
})
export class ReplayTable {
  readonly #words = inject(Words);
  readonly #workspaces = inject(Workspaces);
  readonly replay = input.required<ReplayResult>();
  readonly opened = output<string>();
  /** Rows that somebody has opened before. */
  readonly seen = input<ReadonlySet<string>>(new Set());
  protected readonly t = this.#words.say;
  protected readonly many = this.#words.many;
  protected readonly verdicts = VERDICTS;
  protected readonly rows = computed(() => replayRows(this.replay().changes));
  protected readonly isCut = computed(() => {
    const { changes, looser, stricter, terms } = this.replay();
    return changes.length < looser + stricter + terms;
  });
  readonly #open = linkedSignal<readonly ReplayRow[], ReadonlySet<string>>({ source: this.rows, computation: () => new Set() });

  protected isOpen({ key }: ReplayRow): boolean {
    return this.#open().has(key);
  }

  protected isSeen({ key }: ReplayRow): boolean {
    return this.seen().has(key);
  }

  protected nameOf(rule: string): string {
    return rule.replace(/^document:/, '');
  }

  protected whereOf({ ownerName, workspaceId }: ReplayChange): string {
    return [ownerName, this.#workspaces.nameOf(workspaceId)].filter((part) => part !== '').join(' · ');
  }

  protected toggle({ key }: ReplayRow): void {
    this.#open.update((open) => new Set(open.has(key) ? [...open].filter((one) => one !== key) : [...open, key]));
    this.opened.emit(key);
  }
}
