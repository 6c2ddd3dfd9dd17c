import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './server.mjs';

export interface SmallDisk {
  readonly path: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  setReadOnly(isReadOnly: boolean): void;
  remove(): void;
}

/** A file system of its own, in memory. Undefined where this user may not mount one. */
export function smallDisk(bytes: number): SmallDisk | undefined {
  const path = join(temporaryFolder('countersign-disk-'), 'disk');
  mkdirSync(path);
  const mount = (...options: string[]): boolean => spawnSync('mount', [...options, path], { stdio: 'ignore' }).status === 0;
  const removeFolder = (): void => rmSync(join(path, '..'), { recursive: true, force: true });
  if (process.getuid?.() !== 0 || !mount('-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs')) {
    removeFolder();
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    free: () => rmSync(filler, { force: true }),
    setReadOnly: (isReadOnly) => {
      if (!mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`)) throw new Error('The file system is busy');
    },
    remove: () => {
      spawnSync('umount', ['--lazy', path]);
      removeFolder();
    },
  };
}
