import { Component, computed, inject, signal } from '@angular/core';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { MAT_DIALOG_DATA, MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle } from '@angular/material/dialog';
import { Words } from '../core/say.js';

/** A question before something that cannot be taken back. */
export interface ConfirmData {
  readonly title: string;
  readonly text: string;
  readonly list?: readonly string[];
  readonly act: string;
  readonly isDanger: boolean;
  /** What must be typed first, for what is deleted or revoked. */
  readonly typed?: string;
}

/** The one dialog that asks: its title is the question, the act names the thing, focus is on the safe button. Closes with true or nothing. */
@Component({
  selector: 'cs-confirm',
  imports: [MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle, MatFormField, MatInput, MatLabel],
  template: `
    <h2 matDialogTitle class="iso">{{ data.title }}</h2>
    <mat-dialog-content>
      <p>{{ data.text }}</p>
      @if (data.list; as rows) {
        <ul>
          @for (row of rows; track $index) {
            <li class="mono iso">{{ row }}</li>
          }
        </ul>
      }
      @if (data.typed; as name) {
        <mat-form-field appearance="outline" subscriptSizing="dynamic">
          <mat-label>{{ t('type_name', { name }) }}</mat-label>
          <input matInput id="typed" autocomplete="off" spellcheck="false" #box (input)="typed.set(box.value)" />
        </mat-form-field>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button class="btn" type="button" matDialogClose cdkFocusInitial>{{ t('keep') }}</button>
      <button
        class="btn"
        type="button"
        [class.pen]="!data.isDanger"
        [class.no]="data.isDanger"
        [class.solid]="data.isDanger"
        [disabled]="!mayAct()"
        [matDialogClose]="true"
      >
        {{ data.act }}
      </button>
    </mat-dialog-actions>
  `,
  styles: `
    ul {
      padding-top: 10px;
      display: grid;
      gap: 4px;
      font-size: 12.5px;
      overflow-wrap: anywhere;
    }
    .field {
      padding-top: 14px;
    }
  `,
})
export class Confirm {
  protected readonly data = inject<ConfirmData>(MAT_DIALOG_DATA);
  protected readonly t = inject(Words).say;
  protected readonly typed = signal('');
  protected readonly mayAct = computed(() => this.data.typed === undefined || this.typed().trim() === this.data.typed.trim());
}
