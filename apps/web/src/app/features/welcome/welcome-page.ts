import { Component, computed, inject, signal } from '@angular/core';
import { MatFormField, MatHint, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { Router } from '@angular/router';
import { ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Words } from '../../core/say.js';
import { Failure } from '../../shared/failure.js';
import { NewPassword } from '../../shared/new-password.js';
import { Paper } from '../../shared/paper.js';
import { passwordHints } from '../../shared/password-hints.js';
import { Onboarding } from './onboarding.js';

/** The first owner's page: the one-use link makes a person, then the steps to a first receipt. Survives a reload. */
@Component({
  selector: 'cs-welcome-page',
  imports: [Failure, MatFormField, MatHint, MatInput, MatLabel, NewPassword, Onboarding, Paper],
  template: `
    @if (me.principal() !== null) {
      <cs-paper [broad]="true"><cs-onboarding /></cs-paper>
    } @else {
      <cs-paper>
        <h1>{{ t('welcome') }}</h1>
        @if (me.hasOwner()) {
          <p>{{ t('owner_exists') }}</p>
          <a class="btn pen" href="login" (click)="toLogin($event)">{{ t('sign_in') }}</a>
        } @else {
          <p>{{ t('welcome_text') }}</p>
          @if (token === '') {
            <p class="note caution">{{ t('link_missing') }}</p>
          }
          <form (submit)="begin(); $event.preventDefault()">
            <mat-form-field appearance="outline" subscriptSizing="dynamic">
              <mat-label>{{ t('your_name') }}</mat-label>
              <input #nameBox matInput id="name" autocomplete="username" spellcheck="false" (input)="name.set(nameBox.value)" />
              <mat-hint>{{ t('name_hint') }}</mat-hint>
            </mat-form-field>
            <cs-new-password [name]="name()" (changed)="password.set($event)" />
            @if (failure(); as failed) {
              <cs-failure [failure]="failed" />
            }
            <button class="btn big pen" type="submit" [attr.aria-disabled]="!isReady()">
              {{ isBusy() ? t('sending') : t('become_owner') }}
            </button>
          </form>
        }
      </cs-paper>
    }
  `,
  styles: `
    h1 {
      font: 600 24px/32px var(--sans);
      letter-spacing: -0.018em;
    }
    form {
      display: grid;
      gap: 14px;
    }
  `,
})
export class WelcomePage {
  readonly #router = inject(Router);
  protected readonly me = inject(Me);
  protected readonly t = inject(Words).say;
  /** Stands in the fragment, so that it reaches no log. It leaves the address once it was used. */
  protected readonly token = takeToken();
  protected readonly name = signal('');
  protected readonly password = signal('');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly isReady = computed(
    () =>
      this.token !== '' &&
      this.name().trim() !== '' &&
      !this.isBusy() &&
      passwordHints(this.password(), this.name()).every((hint) => hint.isMet),
  );

  constructor() {
    document.title = `${this.t('welcome')} · Countersign`;
    void this.me.refresh().catch((thrown: unknown) => {
      this.failure.set(ApiError.of(thrown));
    });
  }

  protected async begin(): Promise<void> {
    if (!this.isReady()) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await this.me.welcome(this.token, this.name().trim(), this.password());
      history.replaceState(history.state, '', location.pathname);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  protected toLogin(event: Event): void {
    event.preventDefault();
    void this.#router.navigateByUrl('/login');
  }
}

function takeToken(): string {
  return /^#token=([A-Za-z0-9_-]{1,128})$/.exec(location.hash)?.[1] ?? '';
}
