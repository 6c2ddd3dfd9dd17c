import { Injector, Service, inject } from '@angular/core';
import { MatDialog } from '@angular/material/dialog';

/** Opens the shell's dialogs; each is loaded when it is first wanted. */
@Service()
export class OpenDialogs {
  readonly #dialog = inject(MatDialog);
  readonly #injector = inject(Injector);

  async help(): Promise<void> {
    const { HelpDialog } = await import('./help-dialog.js');
    this.#dialog.open(HelpDialog, { injector: this.#injector });
  }

  async stopAll(): Promise<void> {
    const { StopAllDialog } = await import('./stop-all-dialog.js');
    this.#dialog.open(StopAllDialog, { injector: this.#injector, autoFocus: '[cdkFocusInitial]' });
  }

  async password(): Promise<void> {
    const { PasswordDialog } = await import('./password-dialog.js');
    this.#dialog.open(PasswordDialog, { injector: this.#injector });
  }
}
