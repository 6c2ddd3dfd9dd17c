import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION_TAG = 'v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Owner of the master key: seals secrets for rest and derives the keys of others. The master key itself leaves only as texts
 * that redaction looks for.
 */
export class SecretBox {
  readonly #master: Buffer;
  readonly #sealing: Buffer;

  constructor(master: Buffer) {
    if (master.length !== KEY_BYTES) throw new RangeError('The master key must have 32 bytes');
    this.#master = master;
    this.#sealing = this.derive('seal');
  }

  /** How the master key is written down, so that no text that holds it is shown. */
  get spellings(): readonly string[] {
    return (['hex', 'base64', 'base64url'] as const).map((encoding) => this.#master.toString(encoding).replace(/=+$/, ''));
  }

  /** Encrypts text for storage. Every call gives another result. */
  seal(plain: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, iv);
    const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION_TAG}.${sealed.toString('base64url')}`;
  }

  /** Decrypts what `seal` gave. Throws when it was made with another key or changed since. */
  open(sealed: string): string {
    const [version, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    if (version !== VERSION_TAG || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('Not a sealed secret');
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  /** A 32-byte key for one purpose; the same label always gives the same key. */
  derive(label: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, '', `countersign/${label}`, KEY_BYTES));
  }
}
