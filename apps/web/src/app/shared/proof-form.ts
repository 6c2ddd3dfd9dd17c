import { Component, computed, inject, input, linkedSignal, output, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import type { ProofMethod } from '#contracts';
import { hasPasskeys } from '../core/passkeys.js';
import { Words } from '../core/say.js';

/** A proof as it is sent; for a passkey only the wish, since the browser is asked elsewhere. */
export interface GivenProof {
  readonly method: ProofMethod;
  readonly password?: string;
  readonly code?: string;
}

const USE = { password: 'use_password', totp: 'use_totp', recovery: 'use_recovery', passkey: 'use_passkey' } as const;
const LABEL = { password: 'password', totp: 'totp_code', recovery: 'recovery_code' } as const;

/** One way to prove that it is still this person, and a way to choose another. */
@Component({
  selector: 'cs-proof-form',
  imports: [MatFormField, MatInput, MatLabel],
  template: `
    <form (submit)="submit(); $event.preventDefault()">
      @if (method() === 'passkey') {
        <button class="btn big pen" type="submit" [attr.aria-disabled]="busy()">{{ busy() ? t('sending') : t('use_passkey') }}</button>
      } @else {
        <mat-form-field appearance="outline" subscriptSizing="dynamic">
          <mat-label>{{ t(label()) }}</mat-label>
          <input
            #box
            matInput
            id="proof"
            [type]="method() === 'password' ? 'password' : 'text'"
            [attr.inputmode]="method() === 'totp' ? 'numeric' : null"
            [attr.autocomplete]="method() === 'password' ? 'current-password' : method() === 'totp' ? 'one-time-code' : 'off'"
            spellcheck="false"
            [value]="text()"
            (input)="text.set(box.value)"
          />
        </mat-form-field>
        <button class="btn big pen" type="submit" [attr.aria-disabled]="busy() || text().trim() === ''">
          {{ busy() ? t('sending') : t('prove') }}
        </button>
      }
      @for (other of others(); track other) {
        <button class="btn bare" type="button" (click)="choose(other)">{{ t(use[other]) }}</button>
      }
    </form>
  `,
  styles: `
    form {
      display: grid;
      gap: 12px;
    }
  `,
})
export class ProofForm {
  readonly methods = input.required<readonly ProofMethod[]>();
  readonly busy = input(false);
  readonly given = output<GivenProof>();
  protected readonly t = inject(Words).say;
  protected readonly use = USE;
  protected readonly text = signal('');
  protected readonly usable = computed(() => this.methods().filter((method) => method !== 'passkey' || hasPasskeys()));
  protected readonly method = linkedSignal<ProofMethod>(() => {
    const usable = this.usable();
    return usable.includes('passkey') ? 'passkey' : (usable[0] ?? 'password');
  });
  protected readonly others = computed(() => this.usable().filter((method) => method !== this.method()));
  protected readonly label = computed(() => {
    const method = this.method();
    return method === 'passkey' ? 'password' : LABEL[method];
  });

  protected choose(method: ProofMethod): void {
    this.method.set(method);
    this.text.set('');
  }

  protected submit(): void {
    const method = this.method();
    if (this.busy() || (method !== 'passkey' && this.text().trim() === '')) return;
    if (method === 'passkey') this.given.emit({ method });
    else this.given.emit(method === 'password' ? { method, password: this.text() } : { method, code: this.text() });
    this.text.set('');
  }
}
