import type { PublicKey, PublicKeyInfo } from '#contracts';
import { fingerprintOf } from './public-key.js';

/** A key that is trusted; with its place in the ledger where that is known. */
export type TrustedKey = PublicKey & Partial<Pick<PublicKeyInfo, 'firstIndex' | 'lastIndex' | 'revokedIndex'>>;

export interface Trust {
  /** Keys that are trusted. Without keys and fingerprints a file can only be checked against the key that it names itself. */
  readonly keys?: readonly TrustedKey[];
  /** SHA-256 of keys that are trusted (SPKI DER), in hex. */
  readonly fingerprints?: readonly string[];
}

/** Null: nobody said whom to trust. */
export function isTrusted({ id, publicKey }: PublicKey, { keys, fingerprints }: Trust): boolean | null {
  if (!keys && !fingerprints) return null;
  if (keys?.some((key) => key.id === id && key.publicKey === publicKey)) return true;
  return fingerprints?.includes(fingerprintOf(publicKey)) ?? false;
}
