import { Component, computed, inject, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MatDialogActions, MatDialogClose, MatDialogContent, MatDialogRef, MatDialogTitle } from '@angular/material/dialog';
import { MatSnackBar } from '@angular/material/snack-bar';
import { Api, ApiError } from '../core/api.js';
import { Words } from '../core/say.js';
import { MIN_PASSWORD } from '../shared/password-hints.js';
import { Failure } from '../shared/failure.js';
import { NewPassword } from '../shared/new-password.js';

/** A person changes their own password; other sessions of theirs end. */
@Component({
  selector: 'cs-password-dialog',
  imports: [Failure, MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle, MatFormField, MatInput, MatLabel, NewPassword],
  template: `
    <form (submit)="change(); $event.preventDefault()">
      <h2 matDialogTitle>{{ t('change_password') }}</h2>
      <mat-dialog-content class="body">
        <mat-form-field appearance="outline" subscriptSizing="dynamic">
          <mat-label>{{ t('password_now') }}</mat-label>
          <input matInput id="current" type="password" autocomplete="current-password" #box (input)="current.set(box.value)" />
        </mat-form-field>
        <cs-new-password (changed)="password.set($event)" />
        @if (failure(); as failed) {
          <cs-failure [failure]="failed" />
        }
      </mat-dialog-content>
      <mat-dialog-actions align="end">
        <button class="btn" type="button" matDialogClose>{{ t('keep') }}</button>
        <button class="btn pen" type="submit" [disabled]="!isReady()">{{ t('change_password') }}</button>
      </mat-dialog-actions>
    </form>
  `,
  styles: `
    .body {
      display: grid;
      gap: 14px;
      min-width: min(420px, 80vw);
    }
  `,
})
export class PasswordDialog {
  readonly #api = inject(Api);
  readonly #ref = inject(MatDialogRef<PasswordDialog>);
  readonly #snack = inject(MatSnackBar);
  protected readonly t = inject(Words).say;
  protected readonly current = signal('');
  protected readonly password = signal('');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isReady = computed(() => this.current() !== '' && this.password().length >= MIN_PASSWORD && !this.isBusy());

  protected async change(): Promise<void> {
    if (!this.isReady()) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await this.#api.post('auth/password', { current: this.current(), password: this.password() });
      this.#snack.open(this.t('password_changed'), undefined, { duration: 4000 });
      this.#ref.close();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}
