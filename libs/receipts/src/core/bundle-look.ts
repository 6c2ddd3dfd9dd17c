import type { PublicKey } from '#contracts';
import {
  ABOUT,
  CHECKPOINT,
  CHECKPOINTS,
  KEYS,
  MANIFEST,
  readCanonical,
  readManifest,
  SIGNATURE,
  type ManifestLine,
} from './bundle-format.js';
import type { BundleNotes } from './bundle-notes.js';
import type { VerifyWith } from './check-file.js';
import { Heads } from './heads.js';
import { crc32, sha256Hex, textOf } from './primitives.js';
import type { Shape } from './shape.js';
import type { Steps } from './steps.js';
import { readEntry } from './zip-look.js';
import type { ZipEntry } from './zip.js';

/** What every bundle has. */
const NEEDED: readonly string[] = [ABOUT, CHECKPOINT, CHECKPOINTS, KEYS, MANIFEST, SIGNATURE];

/** Owner of the files of a bundle whose archive is sound: gives each, and notes what is wrong with it as a file. */
export class BundleLook {
  readonly heads = new Heads();
  readonly #byName: ReadonlyMap<string, ZipEntry>;
  #manifest: Uint8Array = new Uint8Array();
  #lines: ReadonlyMap<string, ManifestLine> = new Map();

  constructor(
    readonly entries: readonly ZipEntry[],
    readonly use: VerifyWith,
    readonly notes: BundleNotes,
  ) {
    this.#byName = new Map(entries.map((entry) => [entry.name, entry]));
  }

  /** The exact bytes of the manifest. */
  get manifest(): Uint8Array {
    return this.#manifest;
  }

  get listed(): number {
    return this.#lines.size;
  }

  names(folder: string): readonly string[] {
    return this.entries.map(({ name }) => name).filter((name) => name.startsWith(folder));
  }

  /** Reads the manifest and compares it with what is there. Comes first. */
  *readManifest(): Steps<void> {
    const before = this.notes.problemCount;
    for (const name of NEEDED) if (!this.#byName.has(name)) this.notes.problem(name, 'It is missing');
    this.#manifest = (yield* this.#bytes(MANIFEST)) ?? this.#manifest;
    const lines = readManifest(textOf(this.#manifest));
    if (!lines) this.notes.problem(MANIFEST, 'It cannot be read');
    else this.#compare(lines);
    const isRight = this.notes.problemCount === before;
    this.notes.check(
      'files',
      isRight,
      isRight ? `${String(this.#lines.size)} files, as the manifest lists them` : 'Not the files that the manifest lists',
    );
  }

  #compare(lines: readonly ManifestLine[]): void {
    const order = [...lines.map(({ path }) => path), MANIFEST, SIGNATURE];
    const known = new Set(order);
    this.#lines = new Map(lines.map((line) => [line.path, line]));
    const missing = order.filter((name) => !this.#byName.has(name) && !NEEDED.includes(name));
    const extra = this.entries.filter(({ name }) => !known.has(name));
    for (const name of missing) this.notes.problem(name, 'The manifest lists it, but it is missing');
    for (const { name } of extra) this.notes.problem(name, 'The manifest does not list it');
    if (missing.length > 0 || extra.length > 0) return;
    const moved = order.findIndex((name, index) => this.entries[index]?.name !== name);
    if (moved >= 0 || order.length !== this.entries.length) {
      this.notes.problem(this.entries[moved]?.name ?? MANIFEST, 'It stands at another place than the manifest says');
    }
  }

  /** The content of a listed file, also of one that is not what it should be: then that is noted. */
  *file(name: string): Steps<Uint8Array | undefined> {
    const bytes = yield* this.#bytes(name);
    const line = this.#lines.get(name);
    if (bytes && line && (line.bytes !== bytes.length || line.sha256 !== sha256Hex(bytes))) {
      this.notes.problem(name, 'It holds other bytes than the manifest says');
    }
    return bytes;
  }

  /** The value of a file of canonical JSON. */
  *value<T>(name: string, shape: Shape, { isListed = true } = {}): Steps<T | undefined> {
    const bytes = isListed ? yield* this.file(name) : yield* this.#bytes(name);
    if (!bytes) return undefined;
    const value = readCanonical(bytes);
    if (value !== undefined && shape(value, '').length === 0) return value as T; // the shape was just checked
    this.notes.problem(name, 'It is not what stands in such a file');
    return undefined;
  }

  *#bytes(name: string): Steps<Uint8Array | undefined> {
    const entry = this.#byName.get(name);
    if (!entry) return undefined;
    const bytes = yield* readEntry(entry);
    if (!bytes) this.notes.problem(name, 'What stands before it in the archive is damaged');
    else if (crc32(bytes) !== entry.crc) this.notes.problem(name, 'Its checksum in the archive is wrong');
    return bytes;
  }
}

/** A key of the list in the bundle, with its place in the ledger. */
export interface ListedKey extends PublicKey {
  readonly firstIndex: number;
  readonly lastIndex: number | null;
  readonly revokedIndex: number | null;
}
