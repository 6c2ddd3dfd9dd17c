import { sql } from 'kysely';
import { engines, openAgain } from '../../../../test/support/engines.js';
import type { Database, Tx } from '../database.js';

const sqlite = engines.filter(([name]) => name === 'sqlite');

describe.each(sqlite)('transactions that are ready together on %s', (_name, open) => {
  let db: Database;
  beforeEach(async () => {
    db = await open();
  });
  afterEach(() => db.destroy());

  const put = (tx: Tx, name: string, value = '') => tx.insertInto('settings').values({ name, value }).execute();
  const write = (name: string, value?: string) => db.transaction().execute((tx) => put(tx, name, value));
  const names = async (of: Database = db) =>
    (await of.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name);

  it('are told only of what every reader sees', async () => {
    const other = openAgain(db);
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await write(name);
        expect(await names(other)).toContain(name);
        expect(await names()).toContain(name);
      }),
    );
    await other.destroy();
  });

  it('are not seen before they are durable', async () => {
    const seen: (readonly string[])[] = [];
    const first = write('a');
    const second = db.transaction().execute(async (tx) => {
      await put(tx, 'b');
      seen.push(await names());
      seen.push((await tx.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name));
    });
    await Promise.all([first, second]);
    expect(seen).toEqual([[], ['a', 'b']]);
  });

  it('fail by themselves', async () => {
    const failing = db.transaction().execute(async (tx) => {
      await put(tx, 'x');
      throw new Error('no');
    });
    const twice = write('a');
    const all = await Promise.allSettled([write('a'), failing, twice, write('b')]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('are all refused when a full disk takes what was not durable yet', async () => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql`pragma max_page_count = ${sql.raw(String((rows[0]?.page_count ?? 0) + 2))}`.execute(db);
    const all = await Promise.allSettled([write('a'), write('b', 'x'.repeat(100_000)), write('c')]);
    const told = ['a', 'b', 'c'].filter((_, index) => all[index]?.status === 'fulfilled');
    expect(told).not.toContain('b');
    expect(await names()).toEqual(told);
  });

  it('leave statements of their own and read-only transactions between them', async () => {
    const reading = db.startTransaction().setAccessMode('read only');
    const [, , seen] = await Promise.all([
      write('a'),
      db.insertInto('settings').values({ name: 'b', value: '' }).execute(),
      reading.execute().then(async (tx) => {
        const found = await names(tx as unknown as Database);
        await tx.commit().execute();
        return found;
      }),
    ]);
    await write('c');
    expect(seen).toEqual(['a', 'b']);
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  it('are written when the database is closed at once', async () => {
    const writing = write('a');
    const other = openAgain(db);
    await writing;
    expect(await names(other)).toEqual(['a']);
    await other.destroy();
  });
});
