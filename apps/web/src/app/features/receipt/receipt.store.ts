import { Service, computed, inject, signal } from '@angular/core';
import type { PublicKeyInfo, ReceiptCheck, ReceiptFile } from '#contracts';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { firstBroken, verdictOf } from './checks.js';
import { growthWithoutProof, growthWithProof, mayRemember, type Consistent, type Growth } from './growth.js';
import { knownHead, rememberHead } from './known-head.js';
import { Verifier, type OpenedHead } from './verifier.js';

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
  readonly #growth = signal<Growth | undefined>(undefined);
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
  /** Undefined while it is not known. */
  readonly growth = this.#growth.asReadonly();
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
    this.#growth.set(undefined);
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
      if (this.#id !== id) return;
      this.#verification.set({ checks, at: Date.now() });
      if (verdictOf(checks) === 'verified') await this.#compareHeads(id);
    } catch {
      if (this.#id === id) this.#verifyFailure.set(true);
    }
  }

  /** A person says that the ledger of now is the right one, after having been told that it is not the remembered one. */
  rememberThisHead(): void {
    const growth = this.#growth();
    if (growth === undefined || growth.is === 'first') return;
    rememberHead(growth.to, Date.now());
    this.#growth.set({ is: 'first' });
  }

  /** Shows that the ledger of now goes on from the one that this browser saw last. */
  async #compareHeads(id: string): Promise<void> {
    const to = await this.#openedHead();
    if (to === undefined || this.#id !== id) return;
    const from = knownHead();
    const growth = growthWithoutProof(from, to) ?? (from && (await this.#proved(from, to)));
    if (growth === undefined || this.#id !== id) return;
    this.#growth.set(growth);
    if (mayRemember(growth)) rememberHead(to, Date.now());
  }

  async #proved(from: NonNullable<ReturnType<typeof knownHead>>, to: OpenedHead): Promise<Growth> {
    const { verifyConsistency } = await this.#verifier.load();
    const proof = await this.#api.get<Consistent>(`receipts/consistency${queryOf({ from: from.size, to: to.size })}`);
    return growthWithProof(from, to, proof, verifyConsistency);
  }

  async #openedHead(): Promise<OpenedHead | undefined> {
    const { key, ledger } = this.file()?.proof ?? {};
    if (key === undefined || ledger?.checkpoint == null) return undefined;
    const { openHead } = await this.#verifier.load();
    return (await openHead(ledger.checkpoint, (ledger.checkpointKey ?? key).publicKey)) ?? undefined;
  }

  /** The copy for others, as it would be given away; shown first. The fields in `reveal` stay readable. */
  async loadShare(reveal: readonly string[] = []): Promise<void> {
    this.#shareFailure.set(undefined);
    const chosen = new URLSearchParams(reveal.map((field) => ['reveal', field]));
    try {
      this.#share.set(await this.#api.text(`receipts/${this.#id}/share${reveal.length > 0 ? `?${chosen.toString()}` : ''}`));
    } catch (thrown) {
      this.#shareFailure.set(ApiError.of(thrown));
    }
  }
}
