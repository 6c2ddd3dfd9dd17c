import { Component, effect, inject, input, signal, untracked } from '@angular/core';
import { MatSnackBar } from '@angular/material/snack-bar';
import { Router, RouterLink } from '@angular/router';
import { REMEMBERED_STATES } from '#contracts';
import type { RememberedApproval, RememberedState } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import type { WordKey } from '../../core/words.js';
import { Workspaces } from '../../core/workspaces.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { Paged } from './paged.js';

const STATE_WORDS: Readonly<Record<RememberedState, WordKey>> = {
  active: 'state_active',
  revoked: 'state_revoked',
  ended: 'state_ended',
};

/** Approvals that count again: what each covers, how often it was used, and the way to end it. */
@Component({
  selector: 'cs-remembered-page',
  imports: [Empty, Failure, Mark, RouterLink, Skeleton, Text, Time],
  template: `
    <div class="page">
      <header class="bar">
        <p class="q grow lead">{{ t('remembered_text') }}</p>
        <label class="vh" for="state">{{ t('state') }}</label>
        <select #box class="in state" id="state" (change)="choose(box.value)">
          @for (one of states; track one) {
            <option [value]="one" [selected]="one === (state() ?? 'active')">{{ t(stateWords[one]) }}</option>
          }
          <option value="any" [selected]="state() === 'any'">{{ t('any_state') }}</option>
        </select>
      </header>
      @if (list.failure() ?? failure(); as failed) {
        <cs-failure [failure]="failed" />
      }
      @if (list.items(); as rows) {
        @if (rows.length === 0) {
          <cs-empty shape="signed" [text]="t('no_remembered')" />
        } @else {
          <ul class="sheet" [attr.aria-label]="t('tab_remembered')">
            @for (one of rows; track one.id) {
              <li>
                <div class="what">
                  <p class="mono cmd">
                    <a [routerLink]="['/plans', one.planId]"><cs-text [text]="one.command" /></a>
                  </p>
                  <p class="fact">
                    <span class="q">{{ t('covers') }}:</span>&ngsp;<cs-text [text]="one.covers" />
                  </p>
                  <p class="meta q facts">
                    <span>{{ t('for_whom') }}&ngsp;<cs-text [text]="whereOf(one)" /></span>
                    <span
                      ><a [routerLink]="['/asks', one.askId]">{{ t('signed_by', { names: one.byName }) }}</a
                      >&ngsp;<cs-time [at]="one.at"
                    /></span>
                    @if (one.endedAt; as at) {
                      <span>{{ t(stateWords[one.state]) }}&ngsp;<cs-text [text]="one.endedByName ?? ''" />&ngsp;<cs-time [at]="at" /></span>
                    }
                  </p>
                </div>
                <div class="end">
                  <cs-mark set="remembered" [value]="one.state" look="thin" />
                  <span class="fact num"
                    >{{ words.many('used_times', one.uses) }}
                    @if (one.lastUsedAt; as at) {
                      <span class="q">· {{ t('last_use') }} <cs-time [at]="at" /></span>
                    }
                  </span>
                  @if (one.state === 'active' && me.can('approvals:decide')) {
                    <button class="btn sm no" type="button" (click)="revoke(one)">{{ t('forget') }}</button>
                  }
                </div>
              </li>
            }
          </ul>
          @if (list.next()) {
            <button class="btn sm more" type="button" (click)="list.more()">{{ t('show_more') }}</button>
          }
        }
      } @else if (!list.failure()) {
        <cs-skeleton [lines]="6" />
      }
    </div>
  `,
  styles: `
    .lead {
      flex: 1 1 320px;
      max-width: 84ch;
    }
    .state {
      width: auto;
    }
    li {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 8px 24px;
      align-items: center;
      padding: 12px 16px;
    }
    li + li {
      border-top: 1px solid var(--line-soft);
    }
    .what {
      display: grid;
      gap: 2px;
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .cmd {
      font-size: 13px;
    }
    .facts {
      display: flex;
      flex-wrap: wrap;
      gap: 2px 16px;
    }
    .end {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: flex-end;
      gap: 4px 16px;
    }
    .more {
      justify-self: start;
    }
    @media (max-width: 1023px) {
      li {
        grid-template-columns: minmax(0, 1fr);
      }
      .end {
        justify-content: flex-start;
      }
    }
  `,
})
export class RememberedPage {
  readonly #api = inject(Api);
  readonly #workspaces = inject(Workspaces);
  readonly #router = inject(Router);
  readonly #askFirst = inject(AskFirst);
  readonly #toast = inject(MatSnackBar);
  /** From the address; nothing means active. */
  readonly state = input<string | undefined>();
  protected readonly me = inject(Me);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly states = REMEMBERED_STATES;
  protected readonly stateWords = STATE_WORDS;
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly list = new Paged<RememberedApproval>('policy/remembered', (event) => event.type === 'remembered.changed');

  constructor() {
    inject(Place).at(() => ({ title: this.t('tab_remembered'), path: [{ text: this.t('policy'), link: '/policy/rules' }] }));
    effect(() => {
      const state = this.state();
      const wanted = state === 'any' ? undefined : (REMEMBERED_STATES.find((one) => one === state) ?? 'active');
      untracked(() => void this.list.load(wanted === undefined ? {} : { state: wanted }));
    });
  }

  protected whereOf({ ownerName, workspaceId }: RememberedApproval): string {
    return [ownerName, this.#workspaces.nameOf(workspaceId)].filter((part) => part !== '').join(' · ');
  }

  protected choose(state: string): void {
    void this.#router.navigate([], { queryParams: { state: state === 'active' ? null : state }, replaceUrl: true });
  }

  protected async revoke(one: RememberedApproval): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('forget_title'),
      text: this.t('forget_text'),
      list: [spelled(one.command), spelled(one.covers)],
      act: this.t('forget_act'),
      isDanger: true,
    });
    if (!isSure) return;
    this.failure.set(undefined);
    try {
      await this.#api.post(`policy/remembered/${one.id}/revoke`);
      this.#toast.open(this.t('forgotten'), undefined, { duration: 4_000 });
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
    await this.list.load();
  }
}
