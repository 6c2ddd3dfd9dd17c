import { Component, computed, inject } from '@angular/core';
import { MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle } from '@angular/material/dialog';
import { Keys } from '../core/keys.js';
import { Words } from '../core/say.js';

/** The keys that work on this page now. */
@Component({
  selector: 'cs-help-dialog',
  imports: [MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle],
  template: `
    <h2 matDialogTitle>{{ t('keys_title') }}</h2>
    <mat-dialog-content>
      <dl>
        @for (one of bindings(); track one.letter) {
          <div>
            <dt>
              @for (part of one.letter.split(' '); track $index) {
                <kbd>{{ part }}</kbd>
              }
            </dt>
            <dd>{{ t(one.word) }}</dd>
          </div>
        }
      </dl>
      <p class="q meta">{{ t('keys_sleep') }}</p>
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button class="btn" type="button" matDialogClose cdkFocusInitial>{{ t('close') }}</button>
    </mat-dialog-actions>
  `,
  styles: `
    dl {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(210px, 1fr));
      gap: 8px 24px;
      padding-bottom: 14px;
    }
    dl div {
      display: grid;
      grid-template-columns: 76px 1fr;
      align-items: baseline;
      gap: 8px;
      font-size: 13px;
    }
    dt {
      display: flex;
      gap: 4px;
    }
  `,
})
export class HelpDialog {
  readonly #keys = inject(Keys);
  protected readonly t = inject(Words).say;
  /** A key that a page took over is listed once, as the page uses it. */
  protected readonly bindings = computed(() => {
    const all = this.#keys.bindings();
    return all.filter((binding, index) => all.findIndex((other) => other.letter === binding.letter) === index);
  });
}
