import { Component, computed, inject, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatDialogActions, MatDialogClose, MatDialogContent, MatDialogRef, MatDialogTitle } from '@angular/material/dialog';
import { ActiveRuns } from '../core/active-runs.js';
import { Api, ApiError } from '../core/api.js';
import { Plans } from '../core/plans.js';
import { Words } from '../core/say.js';
import { oneLine } from '../core/text/argv-text.js';
import { spelled } from '../core/text/hidden.js';
import { Workspaces } from '../core/workspaces.js';
import { Failure } from '../shared/failure.js';

/** Cancels every run that goes on, or those of one workspace. One question, no typing. */
@Component({
  selector: 'cs-stop-all-dialog',
  imports: [Failure, MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle, MatFormField, MatInput, MatLabel],
  template: `
    <h2 matDialogTitle>{{ words.many('stop_title', chosen().length) }}</h2>
    <mat-dialog-content>
      <p>{{ t('stop_text') }}</p>
      @if (names().length > 1) {
        <mat-form-field appearance="outline" subscriptSizing="dynamic">
          <mat-label>{{ t('workspace') }}</mat-label>
          <select matNativeControl id="where" #where (change)="only.set(where.value)">
            <option value="">{{ t('all_workspaces') }}</option>
            @for (name of names(); track name) {
              <option [value]="name">{{ spelled(name) }}</option>
            }
          </select>
        </mat-form-field>
      }
      <ul>
        @for (row of chosen(); track row.id) {
          <li>
            <code class="cut iso">{{ row.command }}</code><span class="q">{{ spelled(row.workspace) }}</span>
          </li>
        }
      </ul>
      @if (failure(); as failed) {
        <cs-failure [failure]="failed" />
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button class="btn" type="button" matDialogClose cdkFocusInitial>{{ t('keep_running') }}</button>
      <button class="btn no solid" type="button" [disabled]="isBusy() || chosen().length === 0" (click)="stop()">
        {{ isBusy() ? t('sending') : words.many('stop_act', chosen().length) }}
      </button>
    </mat-dialog-actions>
  `,
  styles: `
    ul {
      padding-top: 12px;
      display: grid;
      gap: 6px;
    }
    li {
      display: flex;
      gap: 12px;
      font-size: 12.5px;
    }
    .field {
      padding-top: 12px;
    }
  `,
})
export class StopAllDialog {
  readonly #api = inject(Api);
  readonly #ref = inject(MatDialogRef<StopAllDialog>);
  readonly #runs = inject(ActiveRuns);
  readonly #plans = inject(Plans);
  readonly #workspaces = inject(Workspaces);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly spelled = spelled;
  protected readonly only = signal('');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  readonly #rows = computed(() =>
    this.#runs.all().map((run) => {
      const plan = this.#plans.peek(run.planId);
      return {
        id: run.id,
        command: plan === undefined ? run.id : oneLine(plan.body.stages),
        workspace: this.#workspaces.nameOf(plan?.workspaceId ?? null),
      };
    }),
  );
  protected readonly names = computed(() => [...new Set(this.#rows().map((row) => row.workspace))].filter((name) => name !== '').sort());
  protected readonly chosen = computed(() => this.#rows().filter((row) => this.only() === '' || row.workspace === this.only()));

  constructor() {
    for (const run of this.#runs.all()) void this.#plans.fetch(run.planId);
  }

  protected async stop(): Promise<void> {
    this.isBusy.set(true);
    const results = await Promise.allSettled(this.chosen().map((row) => this.#api.post(`runs/${row.id}/cancel`)));
    this.isBusy.set(false);
    const failed = results
      .filter((result) => result.status === 'rejected')
      .map((result) => ApiError.of(result.reason))
      .find((error) => error.code !== 'RUN_ENDED');
    if (failed === undefined) this.#ref.close();
    else this.failure.set(failed);
  }
}
