import type { DsseEnvelope } from '#contracts';
import { concat, strictBase64, utf8 } from './primitives.js';
import { askSignature, type Steps } from './steps.js';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Pre-authentication encoding of DSSE 1.0: what is really signed. */
export function preAuthEncoding(type: string, body: Uint8Array): Uint8Array {
  return concat(utf8(`DSSEv1 ${String(utf8(type).length)} ${type} ${String(body.length)} `), body);
}

/** True when the one signature of the envelope is by this key. */
export function* checkEnvelope({ payloadType, payload, signatures }: DsseEnvelope, publicKey: string): Steps<boolean | null> {
  const body = strictBase64(payload);
  const [only, ...more] = signatures;
  const signature = strictBase64(only?.sig ?? '');
  if (!body || !signature || more.length > 0) return false;
  return yield* askSignature(publicKey, preAuthEncoding(payloadType, body), signature);
}
