import { Component, computed, inject, input, output, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { Words } from '../core/say.js';
import { Icon } from './icon.js';
import { passwordHints, passwordStrength } from './password-hints.js';

/** A field for a new password with what is still missing, and a way to see what was typed. */
@Component({
  selector: 'cs-new-password',
  imports: [Icon, MatFormField, MatInput, MatLabel],
  template: `
    <div class="field">
      <div class="row">
        <mat-form-field appearance="outline" subscriptSizing="dynamic">
          <mat-label>{{ t('password_new') }}</mat-label>
          <input
            #box
            matInput
            id="new-password"
            [type]="isShown() ? 'text' : 'password'"
            autocomplete="new-password"
            aria-describedby="password-hints"
            (input)="type(box.value)"
          />
        </mat-form-field>
        <button class="btn big" type="button" [attr.aria-pressed]="isShown()" (click)="isShown.set(!isShown())">{{ t('show') }}</button>
      </div>
      <div class="strength" aria-hidden="true">
        @for (step of [1, 2, 3]; track step) {
          <i [class.on]="strength() >= step"></i>
        }
      </div>
      <ul class="hint" id="password-hints">
        @for (hint of hints(); track hint.word) {
          <li [class.met]="hint.isMet">
            <cs-icon [shape]="hint.isMet ? 'check' : 'planned'" />{{ t(hint.word)
            }}<span class="vh">{{ t(hint.isMet ? 'hint_met' : 'hint_open') }}</span>
          </li>
        }
      </ul>
    </div>
  `,
  styles: `
    .row {
      display: flex;
      align-items: center;
      gap: 8px;
    }
    .strength {
      display: grid;
      grid-template-columns: repeat(3, 1fr);
      gap: 4px;
      padding: 4px 0 2px;
    }
    .strength i {
      height: 3px;
      border-radius: 2px;
      background: var(--line);
    }
    .strength i.on {
      background: var(--ink);
    }
    li {
      display: flex;
      gap: 6px;
      align-items: center;
      line-height: 20px;
    }
    li cs-icon {
      width: 13px;
      height: 13px;
    }
    li.met {
      color: var(--ok-fg);
    }
  `,
})
export class NewPassword {
  readonly name = input('');
  readonly changed = output<string>();
  protected readonly t = inject(Words).say;
  protected readonly isShown = signal(false);
  protected readonly password = signal('');
  protected readonly hints = computed(() => passwordHints(this.password(), this.name()));
  protected readonly strength = computed(() => passwordStrength(this.password(), this.name()));

  protected type(password: string): void {
    this.password.set(password);
    this.changed.emit(password);
  }
}
