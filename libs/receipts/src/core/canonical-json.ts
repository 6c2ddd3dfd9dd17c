import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** RFC 8785. Throws on what has no canonical form: NaN, infinity, lone surrogates. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('The value has no JSON form');
  return text;
}

export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** SHA-256 of the canonical JSON, hex. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** The bytes of base64 text, or undefined when the text is not the one way to write them. */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
