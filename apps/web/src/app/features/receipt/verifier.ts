import { Service } from '@angular/core';
import type { PublicKeyInfo, ReceiptCheck } from '#contracts';
import { apiUrl } from '../../core/api.js';

/** A signed head of the ledger, opened. */
export interface OpenedHead {
  readonly origin: string;
  readonly size: number;
  readonly rootHash: string;
}

interface VerifierModule {
  readonly verifyText: (text: string, use: { readonly keys: readonly PublicKeyInfo[] }) => Promise<readonly ReceiptCheck[]>;
  readonly openHead: (note: string, publicKey: string) => Promise<OpenedHead | null | undefined>;
  readonly verifyConsistency: (oldSize: number, size: number, oldRoot: string, root: string, hashes: readonly string[]) => boolean;
}

/** Loads the verifier, the same one file that people download, and runs it in this browser. */
@Service()
export class Verifier {
  #module: Promise<VerifierModule> | undefined;

  async check(text: string, keys: readonly PublicKeyInfo[]): Promise<readonly ReceiptCheck[]> {
    return (await this.load()).verifyText(text, { keys });
  }

  async load(): Promise<VerifierModule> {
    const url = apiUrl('receipts/verifier');
    this.#module ??= import(/* @vite-ignore */ url) as Promise<VerifierModule>;
    const loaded = this.#module;
    return loaded.catch((thrown: unknown) => {
      this.#module = undefined;
      throw thrown;
    });
  }
}
