import { Component, computed, inject, input, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { Router } from '@angular/router';
import type { PendingSignIn } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { usePasskey } from '../../core/passkeys.js';
import { Words } from '../../core/say.js';
import { Failure } from '../../shared/failure.js';
import { Paper } from '../../shared/paper.js';
import { ProofForm } from '../../shared/proof-form.js';
import type { GivenProof } from '../../shared/proof-form.js';
import { innerPath } from './inner-path.js';

/** Signing in with a name and a password, then back to where the person wanted to go. */
@Component({
  selector: 'cs-login-page',
  imports: [Failure, MatFormField, MatInput, MatLabel, Paper, ProofForm],
  template: `
    <cs-paper>
      <h1>{{ t(pending() ? 'second_step' : 'sign_in') }}</h1>
      @if (pending(); as waiting) {
        <p>{{ t('second_step_text') }}</p>
        <cs-proof-form [methods]="waiting.methods" [busy]="isBusy()" (given)="second(waiting, $event)" />
        @if (failure(); as failed) {
          <cs-failure [failure]="failed" />
        }
        <button class="btn bare" type="button" (click)="pending.set(undefined)">{{ t('back') }}</button>
      } @else {
        <form (submit)="signIn(); $event.preventDefault()">
          <mat-form-field appearance="outline" subscriptSizing="dynamic">
            <mat-label>{{ t('name') }}</mat-label>
            <input
              #nameBox
              matInput
              id="name"
              autocomplete="username"
              autocapitalize="none"
              spellcheck="false"
              (input)="name.set(nameBox.value)"
            />
          </mat-form-field>
          <mat-form-field appearance="outline" subscriptSizing="dynamic">
            <mat-label>{{ t('password') }}</mat-label>
            <input
              #passwordBox
              matInput
              id="password"
              type="password"
              autocomplete="current-password"
              (input)="password.set(passwordBox.value)"
            />
          </mat-form-field>
          @if (failure(); as failed) {
            <cs-failure [failure]="failed" />
          }
          <button class="btn big pen" type="submit" [attr.aria-disabled]="!isReady()">{{ isBusy() ? t('sending') : t('sign_in') }}</button>
        </form>
      }
      @if (!me.hasOwner()) {
        <p class="q fact">{{ t('no_owner_yet') }}</p>
      }
    </cs-paper>
  `,
  styles: `
    h1 {
      font: 600 20px/28px var(--sans);
      letter-spacing: -0.012em;
    }
    form {
      display: grid;
      gap: 14px;
    }
  `,
})
export class LoginPage {
  readonly #router = inject(Router);
  readonly #api = inject(Api);
  protected readonly me = inject(Me);
  /** Where to go after; a path of this console, nothing else. */
  readonly next = input<string>();

  protected readonly t = inject(Words).say;
  protected readonly name = signal('');
  protected readonly password = signal('');
  protected readonly isBusy = signal(false);
  protected readonly pending = signal<PendingSignIn | undefined>(undefined);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isReady = computed(() => this.name().trim() !== '' && this.password() !== '' && !this.isBusy());

  constructor() {
    document.title = `${this.t('sign_in')} · Countersign`;
    void this.me
      .refresh()
      .then(() => this.me.principal() !== null && this.#go())
      .catch(() => undefined);
  }

  protected async signIn(): Promise<void> {
    if (!this.isReady()) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      const pending = await this.me.login(this.name().trim(), this.password());
      this.pending.set(pending);
      if (!pending) await this.#go();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  protected async second({ ticket }: PendingSignIn, proof: GivenProof): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      const response = proof.method === 'passkey' ? await usePasskey(await this.#api.post('auth/login/passkey', { ticket })) : undefined;
      if (proof.method === 'passkey' && response === undefined) return;
      await this.me.second(ticket, { ...proof, ...(response && { response }) });
      await this.#go();
    } catch (thrown) {
      const failure = ApiError.of(thrown);
      this.failure.set(failure);
      if (failure.details['isOver'] === true) this.pending.set(undefined);
    } finally {
      this.isBusy.set(false);
    }
  }

  #go(): Promise<boolean> {
    return this.#router.navigateByUrl(innerPath(this.next()));
  }
}
