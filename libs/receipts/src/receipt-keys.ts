import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { PublicKey, PublicKeyInfo } from '#contracts';
import { Clock, SecretBox } from '#platform';
import { newSigningKeyText, signingKey, type SigningKey } from './core/ed25519.js';
import { sha256Hex } from './core/primitives.js';
import { KeyRepository, type StoredKey } from './ports.js';

/** The key of 1.0 signatures: text, since the verifiers of that format take text. */
export interface HmacKey {
  readonly id: string;
  readonly key: string;
}

interface OpenKeys {
  readonly signing: SigningKey;
  readonly hmac: HmacKey;
  readonly hmacById: ReadonlyMap<string, string>;
  readonly publicKeys: readonly PublicKeyInfo[];
  readonly secrets: readonly string[];
}

/** Owner of the signing keys: made at the first start, sealed at rest, open in memory only. */
@Injectable()
export class ReceiptKeys implements OnModuleInit {
  #open: OpenKeys | undefined;

  constructor(
    private readonly keys: KeyRepository,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Processes that share a database agree: only the first key of each use is kept. */
  async onModuleInit(): Promise<void> {
    const stored = await this.keys.all();
    const isNeeded = (use: StoredKey['use']): boolean => !stored.some((key) => key.use === use && key.retiredAt === null);
    if (isNeeded('ed25519')) await this.keys.insertFirst(this.#newSigningKey());
    if (isNeeded('hmac')) await this.keys.insertFirst(this.#newHmacKey());
    this.#open = this.#unseal(await this.keys.all());
  }

  get signing(): SigningKey {
    return this.#opened().signing;
  }

  get hmac(): HmacKey {
    return this.#opened().hmac;
  }

  /** Retired ones too. */
  get publicKeys(): readonly PublicKeyInfo[] {
    return this.#opened().publicKeys;
  }

  /** Values that must never leave this process. */
  get secrets(): readonly string[] {
    return this.#opened().secrets;
  }

  publicKey(id: string): PublicKey {
    const known = this.#opened().publicKeys.find((key) => key.id === id);
    if (!known) throw new Error(`There is no signing key ${id}`);
    return { id: known.id, algorithm: known.algorithm, publicKey: known.publicKey };
  }

  hmacKey(id: string | null): string | undefined {
    return id === null ? undefined : this.#opened().hmacById.get(id);
  }

  #opened(): OpenKeys {
    if (!this.#open) throw new Error('The signing keys are not open yet');
    return this.#open;
  }

  #newSigningKey(): StoredKey {
    const text = newSigningKeyText();
    const { id, publicKey } = signingKey(text).public;
    return { id, use: 'ed25519', publicKey, sealed: this.box.seal(text), createdAt: this.clock.now(), retiredAt: null };
  }

  #newHmacKey(): StoredKey {
    const text = randomBytes(32).toString('hex');
    const id = sha256Hex(`countersign hmac key ${text}`).slice(0, 16);
    return { id, use: 'hmac', publicKey: null, sealed: this.box.seal(text), createdAt: this.clock.now(), retiredAt: null };
  }

  #unseal(stored: readonly StoredKey[]): OpenKeys {
    const opened = stored.map((key) => ({ ...key, text: this.box.open(key.sealed) }));
    const active = (use: StoredKey['use']) => {
      const key = opened.find((candidate) => candidate.use === use && candidate.retiredAt === null);
      if (!key) throw new Error(`There is no active key for ${use}`);
      return key;
    };
    const hmac = active('hmac');
    return {
      signing: signingKey(active('ed25519').text),
      hmac: { id: hmac.id, key: hmac.text },
      hmacById: new Map(opened.filter(({ use }) => use === 'hmac').map(({ id, text }) => [id, text])),
      publicKeys: opened.flatMap(({ id, publicKey, createdAt, retiredAt }) =>
        publicKey === null ? [] : [{ id, algorithm: 'ed25519' as const, publicKey, createdAt, retiredAt }],
      ),
      secrets: opened.map(({ text }) => text),
    };
  }
}
