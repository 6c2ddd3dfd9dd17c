import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { FilePin } from '#contracts';
import { Files, type FoundProgram } from '../ports.js';

/** First bytes of machine code: ELF, and the Mach-O forms. */
const MACHINE_CODE = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];
const INTERPRETER_LINE = '2321'; // #!

/** The file system of this machine. Synchronous for single look-ups, which are quicker than a trip to the thread pool. */
@Injectable()
export class MachineFiles extends Files {
  override realFolder(path: string): string | undefined {
    return attempt(() => {
      const real = realpathSync(path);
      return statSync(real).isDirectory() ? real : undefined;
    });
  }

  override pinFolder(path: string): FilePin | undefined {
    return attempt(() => {
      const stats = lstatSync(path);
      return stats.isDirectory() ? { path, dev: stats.dev, ino: stats.ino, size: 0, mtimeMs: 0, ctimeMs: 0 } : undefined;
    });
  }

  override async pinFile(path: string, withDigest: boolean): Promise<FilePin | undefined> {
    const before = attempt(() => lstatSync(path));
    if (!before?.isFile()) return undefined;
    if (!withDigest) return toPin(path, before);
    try {
      const hash = createHash('sha256');
      await pipeline(createReadStream(path), hash);
      return { ...toPin(path, before), sha256: hash.digest('hex') };
    } catch {
      return undefined; // gone or unreadable by now: there is nothing to pin
    }
  }

  override findProgram(word: string, cwd: string, folders: readonly string[]): FoundProgram | undefined {
    const candidates = word.includes('/') ? [resolve(cwd, word)] : folders.map((folder) => join(folder, word));
    for (const candidate of candidates) {
      const path = attempt(() => executableAt(candidate));
      if (path !== undefined) return { path, isProgram: attempt(() => isProgram(path)) ?? false };
    }
    return undefined;
  }

  override makeFolder(path: string): void {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  override head(path: string, maxBytes: number): { readonly bytes: Uint8Array; readonly size: number } | undefined {
    return attempt(() => {
      if (realpathSync(path) !== path) return undefined;
      const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const stats = fstatSync(file);
        if (!stats.isFile() || !isStillAt(file, path, stats)) return undefined;
        const bytes = Buffer.alloc(Math.min(maxBytes, stats.size));
        return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)), size: stats.size };
      } finally {
        closeSync(file);
      }
    });
  }
}

/** Whether an open file is the one at the path, reached without any link: a folder on the way may have been swapped meanwhile. */
function isStillAt(file: number, path: string, { dev, ino }: Stats): boolean {
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${String(file)}`) === path;
  const now = lstatSync(path);
  return realpathSync(path) === path && now.dev === dev && now.ino === ino;
}

function executableAt(candidate: string): string | undefined {
  const path = realpathSync(candidate);
  if (!statSync(path).isFile()) return undefined;
  accessSync(path, constants.X_OK);
  return path;
}

function isProgram(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(4);
    const hex = bytes.toString('hex', 0, readSync(file, bytes, 0, 4, 0));
    return hex.startsWith(INTERPRETER_LINE) || MACHINE_CODE.includes(hex);
  } finally {
    closeSync(file);
  }
}

function toPin(path: string, { dev, ino, size, mtimeMs, ctimeMs }: Stats): FilePin {
  return { path, dev, ino, size, mtimeMs, ctimeMs };
}

/** A look-up that fails has found nothing: no such file, no permission, a name that is too long or holds NUL. */
function attempt<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
