import { createHmac, hash } from 'node:crypto';
import * as zlib from 'node:zlib';

/** What verification needs of the machine that it runs on. The one-file verifier has another module in the place of this one. */

export function sha256(data: string | Uint8Array): Uint8Array {
  return hash('sha256', data, 'buffer');
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

export function hmacSha256(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}

/** The checksum of zip archives; it guards against accidents only. */
export function crc32(bytes: Uint8Array): number {
  return zlib.crc32(bytes);
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

export function textOf(bytes: Uint8Array): string {
  return view(bytes).toString('utf8');
}

export function toHex(bytes: Uint8Array): string {
  return view(bytes).toString('hex');
}

export function fromHex(digits: string): Uint8Array {
  return Buffer.from(digits, 'hex');
}

export function toBase64(bytes: Uint8Array): string {
  return view(bytes).toString('base64');
}

/** The bytes of base64 text, or undefined when the text is not the one way to write them. */
export function strictBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
