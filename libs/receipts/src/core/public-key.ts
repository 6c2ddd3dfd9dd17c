import { sha256Hex, strictBase64, toHex } from './primitives.js';

/** Bytes of SPKI DER before the 32 bytes of an Ed25519 key, in hex. */
const SPKI_PREFIX = '302a300506032b6570032100';
const RAW_BYTES = 32;
const RAW_PLACE = SPKI_PREFIX.length / 2;

/** First 16 hex digits of the SHA-256 of the public key (SPKI DER). */
export function keyId(publicKey: string): string {
  return fingerprintOf(publicKey).slice(0, 16);
}

/** SHA-256 of the public key (SPKI DER), in hex: what people compare. */
export function fingerprintOf(publicKey: string): string {
  return sha256Hex(strictBase64(publicKey) ?? '');
}

/** The 32 bytes without their wrapping; undefined when this is no Ed25519 key. */
export function rawPublicKey(publicKey: string): Uint8Array | undefined {
  const der = strictBase64(publicKey);
  if (der?.length !== RAW_PLACE + RAW_BYTES || toHex(der.subarray(0, RAW_PLACE)) !== SPKI_PREFIX) return undefined;
  return der.subarray(RAW_PLACE);
}
