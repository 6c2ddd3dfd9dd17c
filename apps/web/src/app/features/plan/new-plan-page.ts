import { Component, computed, inject, linkedSignal, signal } from '@angular/core';
import { MatFormField, MatHint, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
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
  imports: [Failure, MatFormField, MatHint, MatInput, MatLabel, PlanEditor],
  template: `
    <div class="page">
      <p class="q">{{ t('new_plan_text') }}</p>
      <mat-form-field appearance="outline" subscriptSizing="dynamic">
        <mat-label>{{ t('workspace') }}</mat-label>
        <select #box matNativeControl id="workspace" (change)="chosen.set(box.value)">
          @for (one of workspaces.all(); track one.id) {
            <option [value]="one.id" [selected]="one.id === chosen()">{{ spelled(one.name) }} · {{ one.mode }}</option>
          }
        </select>
        @if (workspace(); as one) {
          <mat-hint
            ><code>{{ spelled(one.root) }}</code> · {{ t(modeWords[one.mode]) }}</mat-hint
          >
        }
      </mat-form-field>
      <mat-form-field appearance="outline" subscriptSizing="dynamic">
        <mat-label>{{ t('folder_inside') }}</mat-label>
        <input #cwdBox matInput class="mono" id="cwd" placeholder="." spellcheck="false" (input)="cwd.set(cwdBox.value)" />
      </mat-form-field>
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
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      if (!this.workspaces.isLoaded()) await this.workspaces.load();
      const cwd = this.cwd().trim();
      const plan = await this.#api.post<Plan>('plans', {
        ...(this.chosen() === '' ? {} : { workspaceId: this.chosen() }),
        ...(cwd === '' ? {} : { cwd }),
        ...text,
      });
      await this.#router.navigate(plan.askId === null ? ['/plans', plan.id] : ['/asks', plan.askId]);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}
