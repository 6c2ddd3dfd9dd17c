import { concat, crc32, utf8 } from './primitives.js';

/**
 * A zip archive in exactly one form: stored, no times, no comments, no gaps. Whoever knows names and contents knows
 * every byte, so that a reader can demand each of them.
 */
export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly crc: number;
  readonly offset: number;
}

export const LOCAL_BYTES = 30;
export const RECORD_BYTES = 46;
export const END_BYTES = 22;
export const END64_BYTES = 56;
export const LOCATOR_BYTES = 20;
/** From here on a number stands in the 64-bit part instead. */
export const MAX_16 = 0xffff;
export const MAX_32 = 0xffffffff;

const STORED_UTF8 = 0x0800;
const VERSION = 20;
const VERSION_64 = 45;
/** 1 January 1980, the first day that the format knows. */
const DAY = 0x0021;
const REGULAR_FILE = 0x81a4;

/** Owner of the order of an archive: gives its bytes piece by piece. */
export class ZipPacker {
  readonly #records: Uint8Array[] = [];
  #offset = 0;

  /** The pieces of one entry. */
  add(name: string, content: Uint8Array): readonly Uint8Array[] {
    const entry = { name, size: content.length, crc: crc32(content), offset: this.#offset };
    const header = localHeader(entry);
    this.#records.push(directoryRecord(entry));
    this.#offset += header.length + content.length;
    return [header, content];
  }

  /** The directory and the end; nothing comes after them. */
  *end(): Generator<Uint8Array> {
    let size = 0;
    for (const record of this.#records) {
      size += record.length;
      yield record;
    }
    yield directoryEnd({ count: this.#records.length, size, offset: this.#offset });
  }
}

export function localHeader({ name, size, crc }: Omit<ZipEntry, 'offset'>): Uint8Array {
  const path = utf8(name);
  const [bytes, view] = room(LOCAL_BYTES);
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, STORED_UTF8, true);
  view.setUint16(12, DAY, true);
  view.setUint32(14, crc, true);
  view.setUint32(18, size, true);
  view.setUint32(22, size, true);
  view.setUint16(26, path.length, true);
  return concat(bytes, path);
}

export function directoryRecord({ name, size, crc, offset }: ZipEntry): Uint8Array {
  const path = utf8(name);
  const extra = offset >= MAX_32 ? offset64(offset) : new Uint8Array();
  const [bytes, view] = room(RECORD_BYTES);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, (3 << 8) | VERSION_64, true); // made on Unix
  view.setUint16(6, offset >= MAX_32 ? VERSION_64 : VERSION, true);
  view.setUint16(8, STORED_UTF8, true);
  view.setUint16(14, DAY, true);
  view.setUint32(16, crc, true);
  view.setUint32(20, size, true);
  view.setUint32(24, size, true);
  view.setUint16(28, path.length, true);
  view.setUint16(30, extra.length, true);
  view.setUint32(38, REGULAR_FILE * 0x10000, true);
  view.setUint32(42, Math.min(offset, MAX_32), true);
  return concat(bytes, path, extra);
}

export interface DirectoryPlace {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

export function directoryEnd(place: DirectoryPlace): Uint8Array {
  const { count, size, offset } = place;
  const [bytes, view] = room(END_BYTES);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, Math.min(count, MAX_16), true);
  view.setUint16(10, Math.min(count, MAX_16), true);
  view.setUint32(12, Math.min(size, MAX_32), true);
  view.setUint32(16, Math.min(offset, MAX_32), true);
  return isLarge(place) ? concat(end64(place), bytes) : bytes;
}

export function isLarge({ count, size, offset }: DirectoryPlace): boolean {
  return count >= MAX_16 || size >= MAX_32 || offset >= MAX_32;
}

function end64({ count, size, offset }: DirectoryPlace): Uint8Array {
  const [bytes, view] = room(END64_BYTES + LOCATOR_BYTES);
  view.setUint32(0, 0x06064b50, true);
  set64(view, 4, END64_BYTES - 12);
  view.setUint16(12, (3 << 8) | VERSION_64, true);
  view.setUint16(14, VERSION_64, true);
  set64(view, 24, count);
  set64(view, 32, count);
  set64(view, 40, size);
  set64(view, 48, offset);
  view.setUint32(56, 0x07064b50, true);
  set64(view, 64, offset + size);
  view.setUint32(72, 1, true);
  return bytes;
}

function offset64(offset: number): Uint8Array {
  const [bytes, view] = room(12);
  view.setUint16(0, 1, true);
  view.setUint16(2, 8, true);
  set64(view, 4, offset);
  return bytes;
}

function room(length: number): readonly [Uint8Array, DataView] {
  const bytes = new Uint8Array(length);
  return [bytes, new DataView(bytes.buffer)];
}

function set64(view: DataView, at: number, value: number): void {
  view.setBigUint64(at, BigInt(value), true);
}
