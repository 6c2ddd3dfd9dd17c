import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import type { FilePin } from '#contracts';
import { NotStarted } from './not-started.js';

/** The file is still the very one that was planned with: same inode and untouched, or at least the same content where that was pinned. */
export function checkPin(pin: FilePin, what: string): void {
  const now = lstatSync(pin.path, { throwIfNoEntry: false });
  if (now?.isFile() && (isUntouched(pin, now) || (pin.sha256 !== undefined && sha256Of(pin.path) === pin.sha256))) return;
  throw new NotStarted(`${what} ${pin.path} has changed since it was planned`, 'PLAN_STALE');
}

/** The same content, whatever its times say; a link in its place is another file. */
export function checkContentPin(pin: FilePin, what: string): void {
  const now = lstatSync(pin.path, { throwIfNoEntry: false });
  if (now?.isFile() && sha256Of(pin.path) === pin.sha256) return;
  throw new NotStarted(`${what} ${pin.path} has changed since it was planned`, 'PLAN_STALE');
}

function isUntouched(pin: FilePin, { dev, ino, size, mtimeMs, ctimeMs }: Stats): boolean {
  return dev === pin.dev && ino === pin.ino && size === pin.size && mtimeMs === pin.mtimeMs && ctimeMs === pin.ctimeMs;
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** The folder is still the very one that was planned with; what happened inside it does not matter. */
export function checkFolderPin(pin: FilePin, what: string): void {
  const now = lstatSync(pin.path, { throwIfNoEntry: false });
  if (!now?.isDirectory() || now.dev !== pin.dev || now.ino !== pin.ino) {
    throw new NotStarted(`${what} ${pin.path} is not the folder that it was when the run was planned`, 'PLAN_STALE');
  }
}
