/** What one entry of the file system is, links not followed. */
export interface FileFact {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Number of hard links. */
  readonly links: number;
}

/**
 * Synchronous look-ups in a file system, real or made up; also the injection token. Paths are absolute.
 * Every method answers null for what is absent or unreadable and never throws.
 */
export abstract class PathLook {
  abstract lstat(path: string): FileFact | null;
  abstract readlink(path: string): string | null;
  /** Names in a folder, in any order. */
  abstract list(path: string): readonly string[] | null;
  /** At most `maxBytes` from the start of a regular file; Latin-1 when it is not UTF-8. */
  abstract readText(path: string, maxBytes: number): string | null;
}

/** A file system with nothing in it: decisions about words alone. */
export const NOTHING: PathLook = {
  lstat: () => null,
  readlink: () => null,
  list: () => null,
  readText: () => null,
};
