import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import type { PublicKey } from '#contracts';
import { sha256Hex, strictBase64 } from './canonical-json.js';

/** A private key with the public facts that stand in files. */
export interface SigningKey {
  readonly public: PublicKey;
  readonly key: KeyObject;
}

/** Bytes of SPKI DER before the 32 bytes of an Ed25519 key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const RAW_BYTES = 32;

/** A new key as text to seal: PKCS 8 DER in base64. */
export function newSigningKeyText(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

export function signingKey(text: string): SigningKey {
  const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  return { public: { id: keyId(publicKey), algorithm: 'ed25519', publicKey }, key };
}

/** First 16 hex digits of the SHA-256 of the public key (SPKI DER). */
export function keyId(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, 'base64')).slice(0, 16);
}

export function signBytes({ key }: SigningKey, data: Uint8Array): Buffer {
  return sign(null, data, key);
}

export function verifyBytes(publicKey: string, data: Uint8Array, signature: Uint8Array): boolean {
  const der = strictBase64(publicKey);
  if (!der || !isEd25519(der)) return false;
  return verify(null, data, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

/** The 32 bytes without their wrapping. */
export function rawPublicKey(publicKey: string): Buffer {
  return Buffer.from(publicKey, 'base64').subarray(-RAW_BYTES);
}

function isEd25519(der: Buffer): boolean {
  return der.length === SPKI_PREFIX.length + RAW_BYTES && der.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX);
}
