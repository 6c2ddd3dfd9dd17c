import { Component, inject, signal } from '@angular/core';
import {
  MAT_DIALOG_DATA,
  MatDialogActions,
  MatDialogClose,
  MatDialogContent,
  MatDialogRef,
  MatDialogTitle,
} from '@angular/material/dialog';
import type { ProofMethod } from '#contracts';
import { Api, ApiError } from '../core/api.js';
import { usePasskey } from '../core/passkeys.js';
import { Words } from '../core/say.js';
import { Failure } from './failure.js';
import { ProofForm } from './proof-form.js';
import type { GivenProof } from './proof-form.js';

/** Asks the person to prove again that it is them. Closes with true when they did. */
@Component({
  selector: 'cs-step-up-dialog',
  imports: [Failure, MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle, ProofForm],
  template: `
    <h2 matDialogTitle>{{ t('step_up_title') }}</h2>
    <mat-dialog-content class="body">
      <p>{{ t('step_up_text') }}</p>
      <cs-proof-form [methods]="methods" [busy]="isBusy()" (given)="prove($event)" />
      @if (failure(); as failed) {
        <cs-failure [failure]="failed" />
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button class="btn" type="button" matDialogClose>{{ t('keep') }}</button>
    </mat-dialog-actions>
  `,
  styles: `
    .body {
      display: grid;
      gap: 14px;
      min-width: min(380px, 80vw);
    }
  `,
})
export class StepUpDialog {
  readonly #api = inject(Api);
  readonly #ref = inject<MatDialogRef<StepUpDialog, true>>(MatDialogRef);
  protected readonly t = inject(Words).say;
  protected readonly methods = inject<readonly ProofMethod[]>(MAT_DIALOG_DATA);
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  protected async prove(proof: GivenProof): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      const response = proof.method === 'passkey' ? await usePasskey(await this.#api.post('auth/step-up/passkey')) : undefined;
      if (proof.method === 'passkey' && response === undefined) return;
      await this.#api.post('auth/step-up', { ...proof, ...(response && { response }) });
      this.#ref.close(true);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}
