import { Component, computed, effect, inject, input, linkedSignal, signal, untracked } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatSnackBar } from '@angular/material/snack-bar';
import { Router, RouterLink } from '@angular/router';
import type { Generalisation, LearnedOffers, PlanId, PolicyVersion } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { shortId } from '../../shared/short-id.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { ReplaySummary } from './replay-summary.js';
import { ReplayTable } from './replay-table.js';
import { YamlText } from './yaml-text.js';

/** From one approved plan to a rule: how far it may reach, each choice with what it would have changed. Nothing is preselected. */
@Component({
  selector: 'cs-learn-page',
  imports: [Empty, Failure, MatFormField, MatInput, MatLabel, ReplaySummary, ReplayTable, RouterLink, Skeleton, Text, YamlText],
  template: `
    <div class="page">
      <header>
        <h2>{{ t('learned_title') }}</h2>
        <p class="fact q">{{ t('learned_text') }}</p>
        <p class="fact q">
          {{ t('learned_from') }} <a [routerLink]="['/plans', id()]">{{ t('plan_title', { id: short(id()) }) }}</a>
        </p>
      </header>
      @if (offers(); as given) {
        @if (given.offers.length === 0) {
          <cs-empty shape="shield" [text]="t('learned_none')" />
          <p class="fact"><cs-text [text]="given.refusal ?? ''" /></p>
        } @else {
          <fieldset>
            <legend class="vh">{{ t('learned_title') }}</legend>
            @for (offer of given.offers; track offer.kind) {
              <div class="sheet offer" [class.chosen]="kind() === offer.kind">
                <label>
                  <input type="radio" name="reach" [value]="offer.kind" [checked]="kind() === offer.kind" (change)="kind.set(offer.kind)" />
                  <b><cs-text [text]="offer.title" /></b>
                </label>
                <cs-replay-summary [replay]="offer.replay" />
                @if (kind() === offer.kind) {
                  <h3>{{ t('rule_of') }}</h3>
                  <cs-yaml-text [text]="offer.rule" />
                  @if (offer.replay.changes.length > 0) {
                    <cs-replay-table [replay]="offer.replay" />
                  }
                }
              </div>
            }
          </fieldset>
          <form (submit)="save(noteBox.value); $event.preventDefault()">
            <mat-form-field appearance="outline" subscriptSizing="dynamic" class="grow">
              <mat-label>{{ t('note_label') }}</mat-label>
              <input #noteBox matInput id="learn-note" maxlength="500" autocomplete="off" required (input)="note.set(noteBox.value)" />
            </mat-form-field>
            <button class="btn big pen" type="submit" [attr.aria-disabled]="!mayAct()">
              @if (isBusy()) {
                {{ t('sending') }}
              } @else {
                {{ me.isAdmin() ? t('learned_save', { n: given.current + 1 }) : t('learned_propose') }}
              }
            </button>
          </form>
        }
      } @else if (!failure()) {
        <cs-skeleton [lines]="8" />
      }
      @if (failure(); as failed) {
        <cs-failure [failure]="failed" [retryable]="!offers()" (retry)="load(id())" />
      }
    </div>
  `,
  styles: `
    .page {
      max-width: 940px;
    }
    fieldset {
      display: grid;
      gap: 10px;
      min-width: 0;
    }
    .offer {
      display: grid;
      gap: 8px;
      padding: 12px 16px;
      min-width: 0;
      container-type: inline-size;
    }
    .chosen {
      border-color: var(--ink);
      box-shadow: inset 0 0 0 1px var(--ink);
    }
    label {
      display: flex;
      gap: 10px;
      align-items: baseline;
      cursor: pointer;
      overflow-wrap: anywhere;
    }
    input[type='radio'] {
      accent-color: var(--ink);
      width: 16px;
      height: 16px;
      margin: 0;
      flex: none;
      align-self: center;
    }
    form {
      display: flex;
      flex-wrap: wrap;
      gap: 12px;
      align-items: center;
    }
    .grow {
      flex: 1 1 280px;
    }
  `,
})
export class LearnPage {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  readonly #askFirst = inject(AskFirst);
  readonly #toast = inject(MatSnackBar);
  readonly #words = inject(Words);
  readonly id = input.required<PlanId>();
  protected readonly me = inject(Me);
  protected readonly t = this.#words.say;
  protected readonly short = shortId;
  protected readonly offers = signal<LearnedOffers | undefined>(undefined);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isBusy = signal(false);
  protected readonly note = signal('');
  protected readonly kind = linkedSignal<PlanId, Generalisation | undefined>({ source: this.id, computation: () => undefined });
  protected readonly mayAct = computed(() => this.kind() !== undefined && this.note().trim() !== '' && !this.isBusy());

  constructor() {
    inject(Place).at(() => ({ title: this.t('learned_title'), path: [{ text: this.t('policy'), link: '/policy/rules' }] }));
    effect(() => {
      const id = this.id();
      untracked(() => void this.load(id));
    });
  }

  protected async load(id: PlanId): Promise<void> {
    this.offers.set(undefined);
    this.failure.set(undefined);
    try {
      this.offers.set(await this.#api.get<LearnedOffers>(`policy/learned/${id}`));
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }

  protected async save(text: string): Promise<void> {
    const offer = this.offers()?.offers.find((one) => one.kind === this.kind());
    const note = text.trim();
    if (!this.mayAct() || offer === undefined || note === '') return;
    if (this.me.isAdmin() && offer.replay.looser > 0 && !(await this.#isSure(offer.replay.looser, offer.replay.days))) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      if (this.me.isAdmin()) await this.#add(offer.kind, note);
      else await this.#propose(offer.kind, note);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  async #add(kind: Generalisation, note: string): Promise<void> {
    const previous = this.offers()?.current ?? 0;
    const saved = await this.#api.post<PolicyVersion>(`policy/learned/${this.id()}`, { kind, previous, note });
    this.#toast.open(this.t('saved_version', { n: saved.version }), undefined, { duration: 4_000 });
    await this.#router.navigate(['/policy/versions'], { queryParams: { version: saved.version } });
  }

  async #propose(kind: Generalisation, note: string): Promise<void> {
    await this.#api.post('policy/proposals', { planId: this.id(), kind, note });
    this.#toast.open(this.t('proposed'), undefined, { duration: 4_000 });
    await this.#router.navigate(['/policy/proposals']);
  }

  #isSure(looser: number, days: number): Promise<boolean> {
    return this.#askFirst.confirm({
      title: this.t('save_looser_title'),
      text: this.#words.many('save_looser_text', looser, { days: this.#words.many('n_days', days) }),
      act: this.t('learned_save', { n: (this.offers()?.current ?? 0) + 1 }),
      isDanger: true,
    });
  }
}
