import type { ErrorCode } from '#contracts';

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

/** How `pg` words a lost or late connection, which has no code. */
const LOST_CONNECTION = /^(Connection terminated|timeout exceeded when trying to connect)/;

const REFUSALS = {
  full: { code: 'STORAGE_FULL', message: 'The disk is full; the change was not kept' },
  unavailable: { code: 'STORAGE_UNAVAILABLE', message: 'The database cannot take this now' },
  other: undefined,
} as const satisfies Record<string, { readonly code: ErrorCode; readonly message: string } | undefined>;

/** What a failure of storage is called on a wire; undefined when it is none. */
export function storageRefusal(thrown: unknown): { readonly code: ErrorCode; readonly message: string } | undefined {
  // By shape: errors of Node's own modules may come from another realm.
  return typeof thrown === 'object' && thrown !== null ? REFUSALS[kindOf(thrown)] : undefined;
}

function kindOf({ code, errcode, message }: { code?: unknown; errcode?: unknown; message?: unknown }): 'full' | 'unavailable' | 'other' {
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') {
    const primary = errcode & 0xff;
    if (primary === SQLITE_FULL) return 'full';
    return UNAVAILABLE_SQLITE.has(primary) ? 'unavailable' : 'other';
  }
  if (typeof code === 'string' && FULL_CODES.has(code)) return 'full';
  const isLost = typeof code === 'string' ? UNAVAILABLE_CODES.has(code) : typeof message === 'string' && LOST_CONNECTION.test(message);
  return isLost ? 'unavailable' : 'other';
}
