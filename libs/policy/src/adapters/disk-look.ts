import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { PathLook, type FileFact } from '../core/index.js';

/** Looks at the real file system. Never throws, never waits for a pipe or a device. */
export class DiskLook extends PathLook {
  lstat(path: string): FileFact | null {
    const stats = quietly(() => lstatSync(path, { throwIfNoEntry: false }));
    if (!stats) return null;
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other';
    return { kind, links: stats.nlink };
  }

  readlink(path: string): string | null {
    return quietly(() => readlinkSync(path));
  }

  list(path: string): readonly string[] | null {
    return quietly(() => readdirSync(path));
  }

  readText(path: string, maxBytes: number): string | null {
    if (this.lstat(path)?.kind !== 'file') return null;
    const bytes = quietly(() => readStart(path, maxBytes));
    if (bytes === null) return null;
    return quietly(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)) ?? bytes.toString('latin1');
  }
}

function readStart(path: string, maxBytes: number): Buffer {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const bytes = Buffer.alloc(maxBytes);
    return bytes.subarray(0, readSync(handle, bytes, 0, maxBytes, 0));
  } finally {
    closeSync(handle);
  }
}

/** Absent, unreadable and not decodable all mean that nothing is known. */
function quietly<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null; // the answer "nothing is known" is the meaning of a failed look
  }
}
