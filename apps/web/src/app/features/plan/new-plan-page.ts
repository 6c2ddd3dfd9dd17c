import { Component, computed, inject, linkedSignal, signal } from '@angular/core';
import { Router } from '@angular/router';
import type { Plan } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { Workspaces } from '../../core/workspaces.js';
import { Failure } from '../../shared/failure.js';
import { MODE_WORDS } from '../../shared/mode-words.js';
import { PlanEditor } from '../../shared/plan-editor.js';
import type { PlannedText } from '../../shared/plan-editor.js';

/** A person plans a command by hand; policy decides about it like about any other. */
@Component({
  selector: 'cs-new-plan-page',
  imports: [Failure, PlanEditor],
  template: `
    <div class="page">
      <p class="q">{{ t('new_plan_text') }}</p>
      <div class="field">
        <label for="workspace">{{ t('workspace') }}</label>
        <select #box class="in" id="workspace" (change)="chosen.set(box.value)">
          @for (one of workspaces.all(); track one.id) {
            <option [value]="one.id" [selected]="one.id === chosen()">{{ spelled(one.name) }} · {{ one.mode }}</option>
          }
        </select>
        @if (workspace(); as one) {
          <p class="hint">
            <code class="iso">{{ spelled(one.root) }}</code> · {{ t(modeWords[one.mode]) }}
          </p>
        }
      </div>
      <div class="field">
        <label for="cwd">{{ t('folder_inside') }}</label>
        <input #cwdBox class="in mono" id="cwd" placeholder="." spellcheck="false" (input)="cwd.set(cwdBox.value)" />
      </div>
      <cs-plan-editor [label]="t('plan_it')" [busy]="isBusy()" [big]="true" (planned)="plan($event)" />
      @if (failure(); as failed) {
        <cs-failure [failure]="failed" />
        @if (refusal(); as text) {
          <p class="fact iso">{{ spelled(text) }}</p>
        }
      }
    </div>
  `,
  styles: `
    .page {
      max-width: 760px;
    }
  `,
})
export class NewPlanPage {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  protected readonly workspaces = inject(Workspaces);
  protected readonly t = inject(Words).say;
  protected readonly modeWords = MODE_WORDS;
  protected readonly spelled = spelled;
  protected readonly chosen = linkedSignal<string>(() => this.workspaces.all()[0]?.id ?? '');
  protected readonly workspace = computed(() => this.workspaces.all().find((one) => one.id === this.chosen()));
  protected readonly cwd = signal('');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  /** What the server says about the very command: its own sentence, shown as text. */
  protected readonly refusal = computed(() => this.failure()?.message ?? '');

  constructor() {
    inject(Place).at(() => ({ title: this.t('new_plan'), path: [{ text: this.t('live_work'), link: '/live' }] }));
  }

  protected async plan(text: PlannedText): Promise<void> {
    const workspace = this.workspace();
    if (workspace === undefined) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      const cwd = this.cwd().trim();
      const plan = await this.#api.post<Plan>('plans', { workspaceId: workspace.id, ...(cwd === '' ? {} : { cwd }), ...text });
      await this.#router.navigate(plan.askId === null ? ['/plans', plan.id] : ['/asks', plan.askId]);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}
