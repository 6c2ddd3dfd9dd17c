import { Component, effect, inject, input, output, signal, untracked } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { Api, ApiError } from '../../core/api.js';
import { makePasskey } from '../../core/passkeys.js';
import { Words } from '../../core/say.js';
import { Copy } from '../../shared/copy.js';
import { Failure } from '../../shared/failure.js';
import { Proved } from '../../shared/proved.js';

interface Offered {
  readonly secret: string;
  readonly url: string;
}

interface Codes {
  readonly recoveryCodes: readonly string[];
}

/** Sets up an authenticator or a passkey. Nothing counts before the first right answer. */
@Component({
  selector: 'cs-new-factor',
  imports: [Copy, Failure, MatFormField, MatInput, MatLabel],
  template: `
    <form class="sheet form" (submit)="submit(); $event.preventDefault()">
      @if (kind() === 'totp') {
        <p>{{ t('totp_text') }}</p>
        @if (offered(); as offer) {
          <p class="row">
            <code>{{ offer.secret }}</code> <cs-copy [text]="offer.secret" />
            <a class="btn sm" [href]="offer.url">{{ t('totp_open') }}</a>
          </p>
        }
      }
      <mat-form-field appearance="outline" subscriptSizing="dynamic">
        <mat-label>{{ t(kind() === 'totp' ? 'totp_code' : 'passkey_name') }}</mat-label>
        <input
          #box
          matInput
          id="factor"
          [attr.inputmode]="kind() === 'totp' ? 'numeric' : null"
          [attr.autocomplete]="kind() === 'totp' ? 'one-time-code' : 'off'"
          maxlength="64"
          (input)="text.set(box.value)"
        />
      </mat-form-field>
      @if (failure(); as failed) {
        <cs-failure [failure]="failed" />
      }
      <div class="bar">
        <button class="btn pen" type="submit" [attr.aria-disabled]="isBusy() || text().trim() === ''">
          {{ isBusy() ? t('sending') : t(kind() === 'totp' ? 'confirm_code' : 'add_passkey') }}
        </button>
        <button class="btn bare" type="button" (click)="dropped.emit()">{{ t('keep') }}</button>
      </div>
    </form>
  `,
  styles: `
    .form {
      display: grid;
      gap: 14px;
      padding: 16px 18px;
      max-width: 620px;
    }
    .row {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 8px 12px;
    }
    code {
      overflow-wrap: anywhere;
      user-select: all;
    }
  `,
})
export class NewFactor {
  readonly #api = inject(Api);
  readonly #proved = inject(Proved);
  readonly kind = input.required<'totp' | 'passkey'>();
  /** Recovery codes, where there were none before. */
  readonly added = output<readonly string[]>();
  readonly dropped = output();
  protected readonly t = inject(Words).say;
  protected readonly offered = signal<Offered | undefined>(undefined);
  protected readonly text = signal('');
  protected readonly isBusy = signal(false);
  protected readonly failure = signal<ApiError | undefined>(undefined);

  constructor() {
    effect(() => {
      if (this.kind() === 'totp') untracked(() => void this.#offer());
    });
  }

  protected async submit(): Promise<void> {
    if (this.isBusy() || this.text().trim() === '') return;
    await this.#attempt(async () => {
      const codes = this.kind() === 'totp' ? await this.#confirm() : await this.#makePasskey();
      if (codes) this.added.emit(codes.recoveryCodes);
    });
  }

  #offer(): Promise<void> {
    return this.#attempt(async () => {
      this.offered.set(await this.#proved.run(() => this.#api.post<Offered>('auth/factors/totp')));
    });
  }

  #confirm(): Promise<Codes> {
    return this.#proved.run(() => this.#api.post<Codes>('auth/factors/totp/confirm', { code: this.text() }));
  }

  async #makePasskey(): Promise<Codes | undefined> {
    const options = await this.#proved.run(() => this.#api.post<PublicKeyCredentialCreationOptionsJSON>('auth/factors/passkeys/options'));
    const response = await makePasskey(options);
    return response && this.#api.post<Codes>('auth/factors/passkeys', { name: this.text().trim(), response });
  }

  async #attempt(call: () => Promise<unknown>): Promise<void> {
    this.isBusy.set(true);
    this.failure.set(undefined);
    try {
      await call();
    } catch (thrown) {
      this.failure.set(ApiError.of(thrown));
    } finally {
      this.isBusy.set(false);
    }
  }
}
