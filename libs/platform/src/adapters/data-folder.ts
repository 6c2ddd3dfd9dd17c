import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { StartError } from '../start-error.js';

const PRIVATE_FOLDER = 0o700;
const HINT = 'Set COUNTERSIGN_DATA to a folder that this user can write';

/** Makes the data folder, for this user only, or says in words why it cannot be used. */
export function openDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`${reason(folder, error)}. ${HINT}`, { cause: error });
  }
}

function reason(folder: string, error: unknown): string {
  const path = JSON.stringify(folder);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) return `The data folder ${path} is a file`;
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
