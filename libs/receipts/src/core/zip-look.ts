import { textOf } from './primitives.js';
import { askRead, type Steps } from './steps.js';
import {
  directoryEnd,
  directoryRecord,
  END64_BYTES,
  END_BYTES,
  localHeader,
  LOCATOR_BYTES,
  MAX_16,
  MAX_32,
  RECORD_BYTES,
  type DirectoryPlace,
  type ZipEntry,
} from './zip.js';

/** What an archive holds, or what in it is not as it must be. Every byte outside the contents is demanded. */
export type ZipLook =
  { readonly ok: true; readonly entries: readonly ZipEntry[] } | { readonly ok: false; readonly name: string; readonly detail: string };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const MOST_NAME = 200;
const PIECE = 1_048_576;
const ARCHIVE = 'archive';

export function* lookIntoZip(size: number): Steps<ZipLook> {
  const place = yield* findDirectory(size);
  if (!place) return wrong('The end of the archive is damaged, or something follows it');
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let at = place.offset;
  let next = 0;
  let piece: Uint8Array = new Uint8Array();
  let from = at;
  for (let number = 0; number < place.count; number += 1) {
    if (at - from + RECORD_BYTES + 2 * MOST_NAME > piece.length && from + piece.length < place.offset + place.size) {
      from = at;
      piece = yield* askRead(at, Math.min(PIECE, place.offset + place.size - at));
    }
    const entry = readRecord(piece.subarray(at - from), next);
    if (!entry) return wrong(`Entry ${String(number + 1)} of the archive's directory is damaged`);
    if (!NAME.test(entry.name)) return wrong(`Entry ${String(number + 1)} of the archive's directory has a strange name`);
    if (names.has(entry.name)) return { ok: false, name: entry.name, detail: 'It stands in the archive twice' };
    names.add(entry.name);
    entries.push(entry);
    next += localHeader(entry).length + entry.size;
    at += directoryRecord(entry).length;
  }
  if (next !== place.offset || at !== place.offset + place.size) return wrong('There are bytes in the archive that belong to no entry');
  return { ok: true, entries };
}

/** The content of an entry; undefined when what stands before it is not what the directory says. */
export function* readEntry(entry: ZipEntry): Steps<Uint8Array | undefined> {
  const header = localHeader(entry);
  const bytes = yield* askRead(entry.offset, header.length + entry.size);
  if (bytes.length !== header.length + entry.size || !isSame(bytes.subarray(0, header.length), header)) return undefined;
  return bytes.subarray(header.length);
}

function wrong(detail: string): ZipLook {
  return { ok: false, name: ARCHIVE, detail };
}

function* findDirectory(size: number): Steps<DirectoryPlace | undefined> {
  const tail = yield* askRead(Math.max(0, size - END_BYTES - LOCATOR_BYTES - END64_BYTES), END_BYTES + LOCATOR_BYTES + END64_BYTES);
  if (tail.length < END_BYTES) return undefined;
  const end = viewOf(tail.subarray(tail.length - END_BYTES));
  const short = { count: end.getUint16(8, true), size: end.getUint32(12, true), offset: end.getUint32(16, true) };
  const isLong = short.count === MAX_16 || short.size === MAX_32 || short.offset === MAX_32;
  if (isLong && tail.length < END_BYTES + LOCATOR_BYTES + END64_BYTES) return undefined;
  const long = viewOf(tail);
  const place = isLong ? { count: get64(long, 24), size: get64(long, 40), offset: get64(long, 48) } : short;
  const right = directoryEnd(place);
  const isRight = place.offset + place.size + right.length === size && isSame(tail.subarray(tail.length - right.length), right);
  return isRight ? place : undefined;
}

/** The entry of this record when the record is exactly the one for it. */
function readRecord(bytes: Uint8Array, offset: number): ZipEntry | undefined {
  if (bytes.length < RECORD_BYTES) return undefined;
  const view = viewOf(bytes);
  const length = view.getUint16(28, true);
  if (length === 0 || length > MOST_NAME) return undefined;
  const name = textOf(bytes.subarray(RECORD_BYTES, RECORD_BYTES + length));
  const entry = { name, size: view.getUint32(24, true), crc: view.getUint32(16, true), offset };
  const right = directoryRecord(entry);
  return isSame(bytes.subarray(0, right.length), right) ? entry : undefined;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function get64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
