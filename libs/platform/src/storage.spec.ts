import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { engines } from '../../../test/support/engines.js';
import { openDataFolder } from './adapters/data-folder.js';
import { AppError, translateStorageError } from './app-error.js';

describe('translateStorageError', () => {
  const codeOf = (thrown: unknown) => {
    const translated = translateStorageError(thrown);
    return translated instanceof AppError ? translated.code : translated;
  };
  const sqlite = (errcode: number) => ({ code: 'ERR_SQLITE_ERROR', errcode });

  it.each([
    ['a full SQLite disk', sqlite(13), 'STORAGE_FULL'],
    ['a read-only SQLite file', sqlite(8), 'STORAGE_UNAVAILABLE'],
    ['an extended read-only code', sqlite(8 | (4 << 8)), 'STORAGE_UNAVAILABLE'],
    ['an I/O error', sqlite(10), 'STORAGE_UNAVAILABLE'],
    ['a locked file', sqlite(5), 'STORAGE_UNAVAILABLE'],
    ['no space', { code: 'ENOSPC' }, 'STORAGE_FULL'],
    ['no quota', { code: 'EDQUOT' }, 'STORAGE_FULL'],
    ['a full PostgreSQL disk', { code: '53100' }, 'STORAGE_FULL'],
    ['a PostgreSQL that stops', { code: '57P01' }, 'STORAGE_UNAVAILABLE'],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 'STORAGE_UNAVAILABLE'],
  ])('says %s with a code', (_name, thrown, code) => {
    expect(codeOf(thrown)).toBe(code);
  });

  it('leaves everything else as it is', () => {
    const others = [new Error('bug'), sqlite(19), { code: '23505' }, undefined, 'text', new AppError('PLAN_STALE', 'stale')];
    expect(others.map(translateStorageError)).toEqual(others);
  });
});

describe('a disk that is full', () => {
  it('keeps the transaction out and the database usable', async () => {
    const open = engines[0]?.[1];
    if (!open) throw new Error('SQLite is always there');
    const db = await open();
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql`pragma max_page_count = ${sql.raw(String((rows[0]?.page_count ?? 0) + 2))}`.execute(db);
    const fill = () =>
      db.transaction().execute(async (tx) => {
        await tx.insertInto('settings').values({ name: 'a', value: 'small' }).execute();
        await tx
          .insertInto('settings')
          .values({ name: 'b', value: 'x'.repeat(100_000) })
          .execute();
      });
    await expect(fill().catch((error: unknown) => Promise.reject(translateStorageError(error) as Error))).rejects.toMatchObject({
      code: 'STORAGE_FULL',
    });
    await db.insertInto('settings').values({ name: 'c', value: 'small' }).execute();
    expect(await db.selectFrom('settings').select('name').execute()).toEqual([{ name: 'c' }]);
    await db.destroy();
  });
});

describe('the data folder', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'countersign-folder-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('is made for its user only', () => {
    openDataFolder(join(home, 'a/b'));
    expect(statSync(join(home, 'a/b')).mode & 0o777).toBe(0o700);
    openDataFolder(join(home, 'a/b'));
  });

  it('says that it is a file', () => {
    writeFileSync(join(home, 'file'), '');
    expect(() => openDataFolder(join(home, 'file'))).toThrow(/is a file\. Set COUNTERSIGN_DATA/);
    expect(() => openDataFolder(join(home, 'file/data'))).toThrow(/A part of the path of the data folder/);
  });

  it('says that it may not be written', () => {
    chmodSync(home, 0o755);
    mkdirSync(join(home, 'closed'), { mode: 0o555 });
    asOrdinaryUser(() => {
      expect(() => openDataFolder(join(home, 'closed'))).toThrow(/may not be written by this user\. Set COUNTERSIGN_DATA/);
      expect(() => openDataFolder(join(home, 'closed/data'))).toThrow(/may not be written by this user/);
    });
  });
});

/** Root may write everywhere, so the look-ups are made as somebody else. */
function asOrdinaryUser(work: () => void): void {
  if (process.getuid?.() !== 0 || !process.seteuid) {
    work();
    return;
  }
  process.seteuid(65_534);
  try {
    work();
  } finally {
    process.seteuid(0);
  }
}
