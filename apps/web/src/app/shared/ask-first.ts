import { Service, inject } from '@angular/core';
import { MatDialog } from '@angular/material/dialog';
import { firstValueFrom } from 'rxjs';
import { Confirm } from './confirm.js';
import type { ConfirmData } from './confirm.js';

/** Opens the one confirming dialog. */
@Service()
export class AskFirst {
  readonly #dialog = inject(MatDialog);

  async confirm(data: ConfirmData): Promise<boolean> {
    const closed = this.#dialog.open<Confirm, ConfirmData, true>(Confirm, { data, autoFocus: '[cdkFocusInitial]' }).afterClosed();
    return (await firstValueFrom(closed, { defaultValue: undefined })) === true;
  }
}
