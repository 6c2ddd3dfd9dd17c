import { AppError } from './app-error.js';

/** Primary result codes of SQLite; the extended ones carry them in the low byte. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const UNAVAILABLE_SQLITE: ReadonlySet<number> = new Set([SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN]);

const FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** Files and sockets, then SQLSTATE: read-only, too many connections, shut down, deadlock, serialisation, lost connection. */
const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  'EROFS',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  '25006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '40P01',
  '40001',
  '08000',
  '08003',
  '08006',
  '08001',
]);

/** What storage says when it cannot keep something, as a code of the product; everything else stays what it was. */
export function translateStorageError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof AppError) return thrown;
  const kind = kindOf(thrown);
  if (kind === 'full') return new AppError('STORAGE_FULL', 'The disk is full; nothing was changed', {}, { cause: thrown });
  if (kind === 'unavailable') {
    return new AppError('STORAGE_UNAVAILABLE', 'The database cannot take this now; nothing was changed', {}, { cause: thrown });
  }
  return thrown;
}

function kindOf(error: Error & { code?: unknown; errcode?: unknown }): 'full' | 'unavailable' | undefined {
  if (error.code === 'ERR_SQLITE_ERROR' && typeof error.errcode === 'number') {
    const primary = error.errcode & 0xff;
    if (primary === SQLITE_FULL) return 'full';
    return UNAVAILABLE_SQLITE.has(primary) ? 'unavailable' : undefined;
  }
  if (typeof error.code !== 'string') return undefined;
  if (FULL_CODES.has(error.code)) return 'full';
  return UNAVAILABLE_CODES.has(error.code) ? 'unavailable' : undefined;
}
