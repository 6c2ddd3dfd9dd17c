import { Component, computed, inject, signal } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle } from '@angular/material/dialog';
import { apiUrl, queryOf } from '../../core/api.js';
import { Words } from '../../core/say.js';
import { toFilter, type ReceiptQuery } from './receipt-query.js';

type Format = 'bundle' | 'intoto' | 'csv';

/** Chooses what leaves as a file. The browser downloads it by itself, so that its size does not matter. */
@Component({
  selector: 'cs-export-dialog',
  imports: [MatDialogActions, MatDialogClose, MatDialogContent, MatDialogTitle],
  template: `
    <h2 matDialogTitle>{{ t('export_title') }}</h2>
    <mat-dialog-content>
      <fieldset>
        <legend>{{ t('export_what') }}</legend>
        <label><input type="radio" name="what" [checked]="!isPeriod()" (change)="isPeriod.set(false)" />{{ t('export_filtered') }}</label>
        <label><input type="radio" name="what" [checked]="isPeriod()" (change)="isPeriod.set(true)" />{{ t('export_period') }}</label>
        @if (isPeriod()) {
          <div class="days">
            <label for="export-from">{{ t('export_from') }}</label>
            <input class="in" id="export-from" type="date" #from [value]="first()" (input)="first.set(from.value)" />
            <label for="export-to">{{ t('export_to') }}</label>
            <input class="in" id="export-to" type="date" #to [value]="last()" (input)="last.set(to.value)" />
          </div>
        }
        <p class="q meta">{{ t(isPeriod() ? 'export_period_note' : 'export_filtered_note') }}</p>
      </fieldset>
      <fieldset>
        <legend>{{ t('export_as') }}</legend>
        <label><input type="radio" name="as" checked (change)="format.set('bundle')" />{{ t('export_bundle') }}</label>
        <label><input type="radio" name="as" (change)="format.set('intoto')" />{{ t('export_intoto') }}</label>
        <label><input type="radio" name="as" (change)="format.set('csv')" />{{ t('export_csv') }}</label>
      </fieldset>
      @if (format() !== 'csv') {
        <label><input type="checkbox" #share (change)="isShared.set(share.checked)" />{{ t('export_share') }}</label>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button class="btn" type="button" matDialogClose cdkFocusInitial>{{ t('close') }}</button>
      <a class="btn pen" [href]="url()" download matDialogClose>{{ t('export_act') }}</a>
    </mat-dialog-actions>
  `,
  styles: `
    fieldset {
      border: 0;
      padding: 0 0 14px;
      margin: 0;
      display: grid;
      gap: 4px;
    }
    legend {
      font: 500 12px/16px var(--sans);
      color: var(--text-3);
      padding: 0 0 4px;
    }
    label {
      display: flex;
      gap: 8px;
      align-items: baseline;
      min-height: 26px;
    }
    .days {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      gap: 6px 12px;
      align-items: center;
      padding: 4px 0 4px 24px;
    }
  `,
})
export class ExportDialog {
  readonly #query = inject<ReceiptQuery>(MAT_DIALOG_DATA);
  protected readonly t = inject(Words).say;
  protected readonly isPeriod = signal(false);
  protected readonly isShared = signal(false);
  protected readonly format = signal<Format>('bundle');
  protected readonly first = signal('');
  protected readonly last = signal('');
  protected readonly url = computed(() => {
    const format = this.format();
    const chosen = this.isPeriod() ? { from: startOf(this.first()), to: startOf(this.last()) } : toFilter(this.#query, Date.now());
    const share = this.isShared() && format !== 'csv' ? 'true' : null;
    return apiUrl(`receipts/export${queryOf({ ...chosen, format, share })}`);
  });
}

/** Midnight here of a day of the calendar; null when none is chosen. */
function startOf(day: string): number | null {
  const time = day === '' ? Number.NaN : new Date(`${day}T00:00:00`).getTime();
  return Number.isNaN(time) ? null : time;
}
