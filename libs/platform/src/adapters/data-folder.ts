import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.js';

const PRIVATE_FOLDER = 0o700;
const PROBE_BYTES = 65_536;
const HINT = 'Set COUNTERSIGN_DATA to a folder that this user can write';

/** Makes the data folder, for this user only, or says in words why it cannot be used. */
export function openDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    probe(folder);
  } catch (error) {
    throw new StartError(`${reason(folder, error)}. ${HINT}`, { cause: error });
  }
}

/** Really writes, as much as opening a database does: permissions, mounts, quotas and full disks all have their say. */
function probe(folder: string): void {
  const file = join(folder, `.probe-${randomUUID()}`);
  try {
    writeFileSync(file, Buffer.alloc(PROBE_BYTES), { flag: 'wx', mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // it may not even be looked at: the first error says so
  }
}

function reason(folder: string, error: unknown): string {
  const path = JSON.stringify(folder);
  if (isFile(folder)) return `The data folder ${path} is a file`;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EACCES':
    case 'EPERM':
      return `The data folder ${path} may not be written by this user`;
    case 'EROFS':
      return `The data folder ${path} lies on a read-only file system`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no space left for the data folder ${path}`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `A part of the path of the data folder ${path} is a file`;
    case undefined:
    default:
      return `The data folder ${path} cannot be used`;
  }
}
