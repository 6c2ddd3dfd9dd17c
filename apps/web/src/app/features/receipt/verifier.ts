import { Service } from '@angular/core';
import type { PublicKeyInfo, ReceiptCheck } from '#contracts';
import { apiUrl } from '../../core/api.js';

interface VerifierModule {
  readonly verifyText: (text: string, use: { readonly keys: readonly PublicKeyInfo[] }) => Promise<readonly ReceiptCheck[]>;
}

/** Loads the verifier, the same one file that people download, and runs it in this browser. */
@Service()
export class Verifier {
  #module: Promise<VerifierModule> | undefined;

  async check(text: string, keys: readonly PublicKeyInfo[]): Promise<readonly ReceiptCheck[]> {
    const url = apiUrl('receipts/verifier');
    this.#module ??= import(/* @vite-ignore */ url) as Promise<VerifierModule>;
    const loaded = this.#module;
    const module = await loaded.catch((thrown: unknown) => {
      this.#module = undefined;
      throw thrown;
    });
    return module.verifyText(text, { keys });
  }
}
