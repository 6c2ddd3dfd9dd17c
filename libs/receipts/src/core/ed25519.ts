import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import type { PublicKey } from '#contracts';
import { keyId, rawPublicKey } from './public-key.js';
import type { SignatureQuestion } from './steps.js';

/** A private key with the public facts that stand in files. */
export interface SigningKey {
  readonly public: PublicKey;
  readonly key: KeyObject;
}

/** Keys that were opened already; a bundle names the same few again and again. */
const opened = new Map<string, KeyObject>();
const MOST_OPENED = 64;

/** A new key as text to seal: PKCS 8 DER in base64. */
export function newSigningKeyText(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

export function signingKey(text: string): SigningKey {
  const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  return { public: { id: keyId(publicKey), algorithm: 'ed25519', publicKey }, key };
}

export function signBytes({ key }: SigningKey, data: Uint8Array): Buffer {
  return sign(null, data, key);
}

export function verifySignature({ publicKey, data, signature }: Omit<SignatureQuestion, 'ask'>): boolean {
  const key = openKey(publicKey);
  return key !== undefined && verify(null, data, key, signature);
}

/** For `settle`: every signature is answered at once. */
export const HERE = { signature: verifySignature };

function openKey(publicKey: string): KeyObject | undefined {
  const known = opened.get(publicKey);
  if (known) return known;
  if (!rawPublicKey(publicKey)) return undefined;
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  if (opened.size >= MOST_OPENED) opened.clear();
  opened.set(publicKey, key);
  return key;
}
