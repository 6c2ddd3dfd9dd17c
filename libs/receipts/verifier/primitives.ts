/**
 * The primitives of the one-file verifier, in the place of `src/core/primitives.ts`: Node's own hashing where this runs in
 * Node, else what stands here, since browsers offer SHA-256 only later and on secure pages only.
 */
import type * as core from '../src/core/primitives.js';
import { crc32Plain } from './crc32.js';
import { hmacPlain, sha256Plain } from './sha256.js';

type NodeCrypto = typeof import('node:crypto');

const isNode = typeof process !== 'undefined' && typeof process.versions.node === 'string';
/** Undefined in browsers. */
export const nodeCrypto: NodeCrypto | undefined = isNode ? await import('node:crypto') : undefined;
/** The checksum came to Node later than the rest of the module. */
const nodeZlib: Partial<typeof import('node:zlib')> | undefined = isNode ? await import('node:zlib') : undefined;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const sha256: typeof core.sha256 = (data) =>
  nodeCrypto ? nodeCrypto.createHash('sha256').update(data).digest() : sha256Plain(bytesOf(data));

export const sha256Hex: typeof core.sha256Hex = nodeHash() ?? ((data) => toHex(sha256(data)));

/** The one-call way of newer Node versions is twice as fast. */
function nodeHash(): typeof core.sha256Hex | undefined {
  const hash = (nodeCrypto as Partial<NodeCrypto> | undefined)?.hash;
  return hash && ((data) => hash('sha256', data, 'hex'));
}

export const hmacSha256: typeof core.hmacSha256 = (key, text) =>
  nodeCrypto ? nodeCrypto.createHmac('sha256', key).update(text).digest() : hmacPlain(bytesOf(key), utf8(text));

export const crc32: typeof core.crc32 = nodeZlib?.crc32 ?? crc32Plain;

export const utf8: typeof core.utf8 = (text) => (nodeCrypto ? Buffer.from(text, 'utf8') : encoder.encode(text));

export const textOf: typeof core.textOf = (bytes) => (nodeCrypto ? view(bytes).toString('utf8') : decoder.decode(bytes));

export const toHex: typeof core.toHex = (bytes) =>
  nodeCrypto ? view(bytes).toString('hex') : Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const fromHex: typeof core.fromHex = (digits) =>
  nodeCrypto ? Buffer.from(digits, 'hex') : Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const toBase64: typeof core.toBase64 = (bytes) =>
  nodeCrypto ? view(bytes).toString('base64') : btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

export const strictBase64: typeof core.strictBase64 = (text) => {
  const bytes = nodeCrypto ? Buffer.from(text, 'base64') : fromBase64(text);
  return bytes && toBase64(bytes) === text ? bytes : undefined;
};

export const concat: typeof core.concat = (...parts) => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

export const isWellFormed: typeof core.isWellFormed =
  (String.prototype as Partial<Pick<string, 'isWellFormed'>>).isWellFormed === undefined
    ? (text) => !/[\ud800-\udfff]/u.test(text)
    : (text) => text.isWellFormed();

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? utf8(data) : data;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  } catch {
    return undefined; // no base64 at all
  }
}
