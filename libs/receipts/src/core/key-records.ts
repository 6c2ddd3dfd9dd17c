import type { KeyRotation, NamedKey, PublicKey } from '#contracts';
import { canonicalJson } from './canonical-json.js';
import { preAuthEncoding } from './dsse.js';
import { strictBase64, textOf, toBase64, utf8 } from './primitives.js';
import { isRecord } from './shape.js';
import { askSignature, type Steps } from './steps.js';

const ROTATION_TYPE = 'application/vnd.countersign.key-rotation+json';
export const ROTATED = 'key.rotated';
export const REVOKED = 'key.revoked';

/** A DSSE envelope over a rotation: the old key hands over, the new one takes up. */
export interface RotationEnvelope {
  readonly payloadType: typeof ROTATION_TYPE;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

export interface Signer {
  readonly id: string;
  readonly sign: (data: Uint8Array) => Uint8Array;
}

export function rotationEnvelope(rotation: KeyRotation, signers: readonly Signer[]): RotationEnvelope {
  const body = utf8(canonicalJson(rotation));
  const signed = preAuthEncoding(ROTATION_TYPE, body);
  const signatures = signers.map(({ id, sign }) => ({ keyid: id, sig: toBase64(sign(signed)) }));
  return { payloadType: ROTATION_TYPE, payload: toBase64(body), signatures };
}

/** The rotation when exactly these keys signed it, in this order, undefined when not, null when this machine cannot tell. */
export function* checkRotation(envelope: unknown, signers: readonly PublicKey[]): Steps<KeyRotation | null | undefined> {
  const { payloadType, payload, signatures } = isRecord(envelope) ? envelope : {};
  if (payloadType !== ROTATION_TYPE || typeof payload !== 'string' || !Array.isArray(signatures)) return undefined;
  const body = strictBase64(payload);
  if (!body || signatures.length !== signers.length) return undefined;
  const signed = preAuthEncoding(ROTATION_TYPE, body);
  for (const [at, key] of signers.entries()) {
    const given: unknown = signatures[at];
    const sig = isRecord(given) && given['keyid'] === key.id && typeof given['sig'] === 'string' ? strictBase64(given['sig']) : undefined;
    const isRight = sig !== undefined && (yield* askSignature(key.publicKey, signed, sig));
    if (isRight === null) return null;
    if (!isRight) return undefined;
  }
  return rotationIn(textOf(body));
}

/** What was signed was written by us, in canonical form. */
function rotationIn(text: string): KeyRotation | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isOurs = isRecord(value) && value['schema'] === 'countersign/key-rotation/1' && canonicalJson(value) === text;
    return isOurs ? (value as unknown as KeyRotation) : undefined; // nobody but `rotationEnvelope` makes this type of payload
  } catch {
    return undefined; // not JSON, so not ours
  }
}

/** How a record names a key. */
export function namedKey({ id, publicKey }: { readonly id: string; readonly publicKey: string | null }): NamedKey {
  return publicKey === null ? { id, algorithm: 'hmac-sha256' } : { id, algorithm: 'ed25519', publicKey };
}
