import { Service, computed, inject, signal } from '@angular/core';
import type { PublicKeyInfo, ReceiptCheck, ReceiptFile } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { firstBroken, verdictOf } from './checks.js';
import { Verifier } from './verifier.js';

/** What one verification in this browser found. */
export interface Verification {
  readonly checks: readonly ReceiptCheck[];
  readonly at: number;
}

/** Owner of one receipt on screen: its exact text, and what this browser found when it checked that text. */
@Service({ autoProvided: false })
export class ReceiptStore {
  readonly #api = inject(Api);
  readonly #verifier = inject(Verifier);
  readonly #text = signal<string | undefined>(undefined);
  readonly #verification = signal<Verification | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);
  readonly #verifyFailure = signal(false);
  readonly #share = signal<string | undefined>(undefined);
  readonly #shareFailure = signal<ApiError | undefined>(undefined);
  #id = '';

  readonly text = this.#text.asReadonly();
  readonly file = computed(() => {
    const text = this.#text();
    return text === undefined ? undefined : (JSON.parse(text) as ReceiptFile);
  });
  readonly verification = this.#verification.asReadonly();
  readonly verdict = computed(() => {
    const found = this.#verification();
    return found === undefined ? undefined : verdictOf(found.checks);
  });
  readonly broken = computed(() => firstBroken(this.#verification()?.checks ?? []));
  readonly failure = this.#failure.asReadonly();
  /** The verifier itself could not be loaded; nothing is known about the receipt then. */
  readonly verifyFailed = this.#verifyFailure.asReadonly();
  readonly share = this.#share.asReadonly();
  readonly shareFailure = this.#shareFailure.asReadonly();

  async open(id: string): Promise<void> {
    this.#id = id;
    this.#text.set(undefined);
    this.#verification.set(undefined);
    this.#share.set(undefined);
    this.#failure.set(undefined);
    try {
      const text = await this.#api.text(`receipts/${id}`);
      if (this.#id === id) this.#text.set(text);
    } catch (thrown) {
      if (this.#id === id) this.#failure.set(ApiError.of(thrown));
      return;
    }
    await this.verify();
  }

  reload(): void {
    void this.open(this.#id);
  }

  /** Checks the very text that is shown, with the keys that the server publishes, in this browser. */
  async verify(): Promise<void> {
    const text = this.#text();
    if (text === undefined) return;
    const id = this.#id;
    this.#verifyFailure.set(false);
    this.#verification.set(undefined);
    try {
      const keys = await this.#api.get<readonly PublicKeyInfo[]>('receipts/keys');
      const checks = await this.#verifier.check(text, keys);
      if (this.#id === id) this.#verification.set({ checks, at: Date.now() });
    } catch {
      if (this.#id === id) this.#verifyFailure.set(true);
    }
  }

  /** The copy for others, as it would be given away; shown first. */
  async loadShare(): Promise<void> {
    this.#shareFailure.set(undefined);
    try {
      this.#share.set(await this.#api.text(`receipts/${this.#id}/share`));
    } catch (thrown) {
      this.#shareFailure.set(ApiError.of(thrown));
    }
  }
}
