import { rawPublicKey } from '../src/core/public-key.js';
import type { SignatureQuestion } from '../src/core/steps.js';
import { nodeCrypto } from './primitives.js';

type Opened = import('node:crypto').KeyObject;

const opened = new Map<string, Opened>();

/** At once in Node, later in browsers; null where the browser offers no Ed25519. */
export function answerSignature(question: SignatureQuestion): boolean | null | Promise<boolean | null> {
  if (!rawPublicKey(question.publicKey)) return false;
  return nodeCrypto ? inNode(nodeCrypto, question) : inBrowser(question);
}

function inNode({ createPublicKey, verify }: NonNullable<typeof nodeCrypto>, { publicKey, data, signature }: SignatureQuestion): boolean {
  let key = opened.get(publicKey);
  if (!key) {
    key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    opened.set(publicKey, key);
  }
  return verify(null, data, key, signature);
}

async function inBrowser({ publicKey, data, signature }: SignatureQuestion): Promise<boolean | null> {
  const { subtle } = globalThis.crypto as Partial<typeof globalThis.crypto>; // absent on pages that are not secure
  const raw = rawPublicKey(publicKey);
  if (!subtle || !raw) return null;
  let key;
  try {
    key = await subtle.importKey('raw', Uint8Array.from(raw), { name: 'Ed25519' }, false, ['verify']);
  } catch {
    return null; // this browser has no Ed25519
  }
  return subtle.verify({ name: 'Ed25519' }, key, Uint8Array.from(signature), Uint8Array.from(data));
}
