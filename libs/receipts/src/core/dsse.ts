import type { DsseEnvelope } from '#contracts';
import { strictBase64 } from './canonical-json.js';
import { signBytes, verifyBytes, type SigningKey } from './ed25519.js';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Pre-authentication encoding of DSSE 1.0: what is really signed. */
export function preAuthEncoding(type: string, body: Uint8Array): Buffer {
  const head = `DSSEv1 ${String(Buffer.byteLength(type))} ${type} ${String(body.length)} `;
  return Buffer.concat([Buffer.from(head, 'utf8'), body]);
}

export function signEnvelope(payload: string, key: SigningKey): DsseEnvelope {
  const body = Buffer.from(payload, 'utf8');
  const sig = signBytes(key, preAuthEncoding(PAYLOAD_TYPE, body)).toString('base64');
  return { payloadType: PAYLOAD_TYPE, payload: body.toString('base64'), signatures: [{ keyid: key.public.id, sig }] };
}

/** True when the one signature of the envelope is by this key. */
export function verifyEnvelope({ payloadType, payload, signatures }: DsseEnvelope, publicKey: string): boolean {
  const body = strictBase64(payload);
  const [only, ...more] = signatures;
  const signature = strictBase64(only?.sig ?? '');
  if (!body || !signature || more.length > 0) return false;
  return verifyBytes(publicKey, preAuthEncoding(payloadType, body), signature);
}
