import { isUtf8 } from 'node:buffer';

const NOTHING = Buffer.alloc(0);
const REPLACEMENT = 0xfffd;
const REPLACEMENT_BYTES = Buffer.from('\uFFFD');

/**
 * Decodes UTF-8 that arrives in pieces. Owns the bytes of a character that is not complete yet.
 * The text is the same however the bytes are cut; what is not valid becomes U+FFFD and is counted.
 */
export class Utf8Stream {
  #held: Buffer = NOTHING;
  invalid = 0;

  push(chunk: Buffer): string {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = completeEnd(bytes);
    this.#held = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
    return this.#decode(bytes.subarray(0, end));
  }

  /** What is still held is an unfinished character. */
  end(): string {
    const rest = this.#held;
    this.#held = NOTHING;
    return this.#decode(rest);
  }

  #decode(bytes: Buffer): string {
    const text = bytes.toString('utf8');
    if (!isUtf8(bytes)) this.invalid += replacementsIn(text) - writtenReplacementsIn(bytes);
    return text;
  }
}

/** Where the last character that may still be incomplete begins, or the length. */
function completeEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  return 1;
}

function replacementsIn(text: string): number {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === REPLACEMENT) found += 1;
  return found;
}

/** U+FFFD that the program itself wrote is valid. */
function writtenReplacementsIn(bytes: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(REPLACEMENT_BYTES); at !== -1; at = bytes.indexOf(REPLACEMENT_BYTES, at + 3)) found += 1;
  return found;
}

/** The largest cut at or before `limit` that splits no character of valid UTF-8. */
export function cutBefore(bytes: Buffer, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let at = limit;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** The smallest cut at or after `from` that splits no character of valid UTF-8. */
export function cutAfter(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
