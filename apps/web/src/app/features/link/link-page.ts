import { Component, computed, inject, signal } from '@angular/core';
import { MatFormField, MatHint, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { Router } from '@angular/router';
import type { LinkPurpose } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { Me } from '../../core/me.js';
import { Words } from '../../core/say.js';
import { Failure } from '../../shared/failure.js';
import { NewPassword } from '../../shared/new-password.js';
import { Paper } from '../../shared/paper.js';
import { passwordHints } from '../../shared/password-hints.js';
import { Skeleton } from '../../shared/skeleton.js';

/** Where a one-use link leads: it makes a person, or gives one a new password. */
@Component({
  selector: 'cs-link-page',
  imports: [Failure, MatFormField, MatHint, MatInput, MatLabel, NewPassword, Paper, Skeleton],
  template: `
    <cs-paper>
      @if (purpose(); as link) {
        <h1>{{ t(link.kind === 'invite' ? 'invite_title' : 'reset_title') }}</h1>
        <p>{{ link.kind === 'invite' ? t('invite_page_text', { roles: roles() }) : t('reset_page_text', { name: link.name ?? '' }) }}</p>
        <form (submit)="use(link); $event.preventDefault()">
          @if (link.kind === 'invite') {
            <mat-form-field appearance="outline" subscriptSizing="dynamic">
              <mat-label>{{ t('your_name') }}</mat-label>
              <input #nameBox matInput id="name" autocomplete="username" spellcheck="false" (input)="name.set(nameBox.value)" />
              <mat-hint>{{ t('name_hint') }}</mat-hint>
            </mat-form-field>
          }
          <cs-new-password [name]="link.name ?? name()" (changed)="password.set($event)" />
          @if (failure(); as failed) {
            <cs-failure [failure]="failed" />
          }
          <button class="btn big pen" type="submit" [attr.aria-disabled]="!isReady()">
            {{ isBusy() ? t('sending') : t(link.kind === 'invite' ? 'join' : 'reset_act') }}
          </button>
        </form>
      } @else if (failure(); as failed) {
        <h1>{{ t('link_over') }}</h1>
        <cs-failure [failure]="failed" />
      } @else {
        <cs-skeleton [lines]="3" />
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
export class LinkPage {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #router = inject(Router);
  protected readonly t = inject(Words).say;
  /** Stands in the fragment, so that it reaches no log. It leaves the address at once. */
  readonly #token = /^#token=([A-Za-z0-9_-]{1,128})$/.exec(location.hash)?.[1] ?? 'none';
  protected readonly purpose = signal<LinkPurpose | undefined>(undefined);
  protected readonly name = signal('');
  protected readonly password = signal('');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);
  protected readonly roles = computed(() => (this.purpose()?.roles ?? []).map((role) => this.t(`role_${role}`)).join(', '));
  protected readonly isReady = computed(() => {
    const name = this.purpose()?.name ?? this.name();
    return name.trim() !== '' && !this.isBusy() && passwordHints(this.password(), name).every((hint) => hint.isMet);
  });

  constructor() {
    document.title = 'Countersign';
    void this.#look();
  }

  protected async use({ kind }: LinkPurpose): Promise<void> {
    if (!this.isReady()) return;
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      if (kind === 'invite') await this.#me.accept(this.#token, this.name().trim(), this.password());
      else await this.#api.post('auth/reset', { token: this.#token, password: this.password() });
      await this.#router.navigateByUrl(kind === 'invite' ? '/' : '/login');
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }

  async #look(): Promise<void> {
    try {
      this.purpose.set(await this.#api.post<LinkPurpose>('auth/link', { token: this.#token }));
      history.replaceState(history.state, '', location.pathname);
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    }
  }
}
