import { Service, inject } from '@angular/core';
import { MatDialog } from '@angular/material/dialog';
import { firstValueFrom } from 'rxjs';
import type { ProofMethod } from '#contracts';
import { ApiError } from '../core/api.js';
import { StepUpDialog } from './step-up-dialog.js';

/** Carries a call out, and once more after a proof where the server asks for one. */
@Service()
export class Proved {
  readonly #dialog = inject(MatDialog);

  async run<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'STEP_UP_REQUIRED') throw thrown;
      const methods = (thrown.details['methods'] ?? []) as readonly ProofMethod[]; // the contract of this code
      if (methods.length === 0 || !(await this.#ask(methods))) throw thrown;
      return call();
    }
  }

  async #ask(methods: readonly ProofMethod[]): Promise<boolean> {
    const closed = this.#dialog.open<StepUpDialog, readonly ProofMethod[], true>(StepUpDialog, { data: methods }).afterClosed();
    return (await firstValueFrom(closed, { defaultValue: undefined })) === true;
  }
}
