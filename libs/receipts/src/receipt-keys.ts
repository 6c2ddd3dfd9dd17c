import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { KeyInfo, KeyUse, PublicKey, PublicKeyInfo } from '#contracts';
import { Clock, SecretBox, type Tx } from '#platform';
import { newSigningKeyText, signingKey, type SigningKey } from './core/ed25519.js';
import { hmacKeyId } from './core/receipt10.js';
import { KeyRepository, type StoredKey } from './ports.js';

/** The key of 1.0 signatures: text, since the verifiers of that format take text. */
export interface HmacKey {
  readonly id: string;
  readonly key: string;
}

/** A key that was just made, and that nobody uses yet. */
export interface NewKey {
  readonly stored: StoredKey;
  /** Null for HMAC keys. */
  readonly signing: SigningKey | null;
}

interface OpenKeys {
  readonly stored: readonly StoredKey[];
  readonly signing: SigningKey;
  readonly hmac: HmacKey;
  readonly publicKeys: readonly PublicKeyInfo[];
  readonly secrets: readonly string[];
}

/**
 * Owner of the signing keys: made at the first start, sealed at rest, open in memory only. Another process may rotate them
 * at any time; the ledger's head says which are the active ones, and whoever meets another name there calls `reload`.
 */
@Injectable()
export class ReceiptKeys implements OnModuleInit {
  #open: OpenKeys | undefined;
  /** Opened once each: by id, and a secret that is destroyed in the database ends with the process. */
  readonly #texts = new Map<string, string>();
  readonly #signers = new Map<string, SigningKey>();

  constructor(
    private readonly keys: KeyRepository,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Processes that share a database agree: only the first key of each use is kept. */
  async onModuleInit(): Promise<void> {
    const stored = await this.keys.all();
    for (const use of ['ed25519', 'hmac'] as const) {
      if (!stored.some((key) => key.use === use && key.retiredAt === null)) await this.keys.insertFirst(this.make(use, 0).stored);
    }
    await this.keys.adopt();
    await this.reload();
  }

  get signing(): SigningKey {
    return this.#opened().signing;
  }

  get hmac(): HmacKey {
    return this.#opened().hmac;
  }

  /** Retired ones too, oldest first. */
  get publicKeys(): readonly PublicKeyInfo[] {
    return this.#opened().publicKeys;
  }

  /** Values that must never leave this process. The same list until the keys change. */
  get secrets(): readonly string[] {
    return this.#opened().secrets;
  }

  /** Every key of both uses, without its secret. */
  get infos(): readonly KeyInfo[] {
    return this.#opened().stored.map(toInfo);
  }

  publicKey(id: string): PublicKey {
    const known = this.#opened().publicKeys.find((key) => key.id === id);
    if (!known) throw new Error(`There is no signing key ${id}`);
    return { id: known.id, algorithm: known.algorithm, publicKey: known.publicKey };
  }

  hmacKey(id: string | null): string | undefined {
    return id === null ? undefined : this.#texts.get(id);
  }

  /** The key that signs for the ledger; undefined when it was rotated away in between. */
  async signer(id: string): Promise<SigningKey | undefined> {
    if (this.signing.public.id !== id) await this.reload();
    return this.#signers.get(id);
  }

  /** Reads anew what another process may have changed. */
  async reload(tx?: Tx): Promise<void> {
    this.#open = this.#unseal(await this.keys.all(tx));
  }

  make(use: KeyUse, firstIndex: number): NewKey {
    const facts = { createdAt: this.clock.now(), retiredAt: null, firstIndex, lastIndex: null, revokedAt: null, revokedIndex: null };
    if (use === 'hmac') {
      const text = randomBytes(32).toString('hex');
      const id = hmacKeyId(text);
      return { stored: { id, use, publicKey: null, sealed: this.box.seal(text), ...facts }, signing: null };
    }
    const text = newSigningKeyText();
    const signing = signingKey(text);
    const { id, publicKey } = signing.public;
    return { stored: { id, use, publicKey, sealed: this.box.seal(text), ...facts }, signing };
  }

  #opened(): OpenKeys {
    if (!this.#open) throw new Error('The signing keys are not open yet');
    return this.#open;
  }

  #unseal(stored: readonly StoredKey[]): OpenKeys {
    for (const key of stored) this.#openOne(key);
    const active = (use: KeyUse): { readonly id: string; readonly text: string } => {
      const id = stored.find((key) => key.use === use && key.retiredAt === null)?.id;
      const text = id === undefined ? undefined : this.#texts.get(id);
      if (id === undefined || text === undefined) throw new Error(`There is no active key for ${use}`);
      return { id, text };
    };
    const signing = this.#signers.get(active('ed25519').id);
    if (!signing) throw new Error('The active signing key is not open');
    const hmac = active('hmac');
    return {
      stored,
      signing,
      hmac: { id: hmac.id, key: hmac.text },
      publicKeys: stored.flatMap(({ id, publicKey, createdAt, retiredAt, firstIndex, lastIndex, revokedAt, revokedIndex }) =>
        publicKey === null
          ? []
          : [{ id, algorithm: 'ed25519' as const, publicKey, createdAt, retiredAt, firstIndex, lastIndex, revokedAt, revokedIndex }],
      ),
      secrets: this.#open?.secrets.length === this.#texts.size ? this.#open.secrets : [...this.#texts.values()],
    };
  }

  #openOne({ id, use, sealed }: StoredKey): void {
    if (sealed === null || this.#texts.has(id)) return;
    const text = this.box.open(sealed);
    this.#texts.set(id, text);
    if (use === 'ed25519') this.#signers.set(id, signingKey(text));
  }
}

function toInfo({ id, use, publicKey, createdAt, retiredAt, firstIndex, lastIndex, revokedAt, revokedIndex }: StoredKey): KeyInfo {
  return {
    id,
    use,
    ...(publicKey === null ? { algorithm: 'hmac-sha256' as const } : { algorithm: 'ed25519' as const, publicKey }),
    isActive: retiredAt === null,
    createdAt,
    retiredAt,
    firstIndex,
    lastIndex,
    revokedAt,
    revokedIndex,
  };
}
