import fc from 'fast-check';
import type { AppEvent, EventBody, EventScope, PrincipalId, SessionId, WorkspaceId } from '#contracts';
import { TestClock } from '../../../test/support/clock.js';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import type { Database, Migrations } from './database.js';
import { EventFeed, MAX_BEHIND } from './event-feed.js';

const SCOPE: EventScope = { owner: 'alice' as PrincipalId, sessionId: null };
const body = (name: string): EventBody => ({ type: 'workspace.removed', workspaceId: name as WorkspaceId });
const nameOf = (event: AppEvent) => (event.type === 'workspace.removed' ? event.workspaceId : event.type);

/** A row with a status, as asks and plans have. */
type Tables = {
  doors: { id: string; status: string };
};
const doorMigrations: Migrations = {
  doors_001: {
    async up(db) {
      await db.schema
        .createTable('doors')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('status', 'text', (column) => column.notNull())
        .execute();
    },
  },
};

describe.each(engines)('EventFeed on %s', (_name, open) => {
  let db: Database;
  let clock: TestClock;
  let feed: EventFeed;

  beforeEach(async () => {
    db = await open(doorMigrations);
    clock = new TestClock();
    feed = new EventFeed(db, clock);
    await feed.onModuleInit();
  });
  afterEach(async () => {
    await feed.onModuleDestroy();
    await db.destroy();
  });

  const write = (...names: readonly string[]) =>
    feed.write(async (_tx, append) => {
      for (const name of names) await append(SCOPE, body(name));
    });
  const move = (status: string) =>
    feed.write(async (tx, append) => {
      const moved = await tx
        .$extendTables<Tables>()
        .updateTable('doors')
        .set({ status })
        .where('id', '=', 'front')
        .where('status', '=', 'open')
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return false;
      await append(SCOPE, body(status));
      return true;
    });
  const addDoor = () => db.$extendTables<Tables>().insertInto('doors').values({ id: 'front', status: 'open' }).execute();

  it('gives events back as they were, with their place and time', async () => {
    const sessionId = 's1' as SessionId;
    await feed.write((_tx, append) => append({ owner: 'bob' as PrincipalId, sessionId }, body('a')));
    await feed.write((_tx, append) => append(SCOPE, { type: 'session.closed', sessionId, status: 'closed' }));
    expect(await feed.after(0, 10)).toEqual([
      { seq: 1, at: 1_000, owner: 'bob', sessionId: 's1', type: 'workspace.removed', workspaceId: 'a' },
      { seq: 2, at: 1_000, owner: 'alice', sessionId: 's1', type: 'session.closed', status: 'closed' },
    ]);
  });

  it('lets nobody in between a look and the commit', async () => {
    const ends: string[] = [];
    const { promise: isHeld, resolve: held } = Promise.withResolvers<undefined>();
    const looking = feed.write(async (tx) => {
      await feed.hold(tx);
      held(undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
      ends.push('look');
    });
    await isHeld;
    await Promise.all([looking, write('a').then(() => ends.push('write'))]);
    expect(ends).toEqual(['look', 'write']);
  });

  it('tells watchers after the commit, before the writer goes on', async () => {
    const told: [string, number][] = [];
    feed.live.subscribe((event) => told.push([nameOf(event), feed.head]));
    await feed.write(async (_tx, append) => {
      await append(SCOPE, body('a'));
      await append(SCOPE, body('b'));
      expect(told).toEqual([]);
    });
    expect(told).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('keeps neither the row nor the event of a write that failed', async () => {
    const failing = feed.write(async (tx, append) => {
      await tx.$extendTables<Tables>().insertInto('doors').values({ id: 'front', status: 'open' }).execute();
      await append(SCOPE, body('a'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.$extendTables<Tables>().selectFrom('doors').selectAll().execute()).toEqual([]);
    expect([await feed.after(0, 10), feed.head]).toEqual([[], 0]);
    await write('b');
    expect((await feed.after(0, 10)).map(({ seq }) => seq)).toEqual([1]);
  });

  it('lets exactly one of many writers win, and records only that one', async () => {
    await addDoor();
    const told: AppEvent[] = [];
    feed.live.subscribe((event) => told.push(event));
    const won = await Promise.all(Array.from({ length: 20 }, (_, n) => move(`moved-${n}`)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(told).toHaveLength(1);
    expect(await feed.after(0, 10)).toEqual(told);
  });

  it('starts where the last process stopped, without telling old news', async () => {
    await write('a', 'b');
    const later = new EventFeed(db, clock);
    const told: string[] = [];
    later.live.subscribe((event) => told.push(nameOf(event)));
    await later.write((_tx, append) => append(SCOPE, body('c')));
    expect([told, later.head]).toEqual([['c'], 3]);
  });

  verifies('events:one-order', `${_name}, many writers in two processes' worth of feeds`, async () => {
    const other = new EventFeed(db, clock);
    await other.onModuleInit();
    const heard: [number[], number[]] = [[], []];
    feed.live.subscribe(({ seq }) => heard[0].push(seq));
    other.live.subscribe(({ seq }) => heard[1].push(seq));
    const writers = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? feed : other).write(async (_tx, append) => {
        for (let left = n % 3; left >= 0; left -= 1) await append(SCOPE, body(`${n}`));
      }),
    );
    await Promise.all(writers);
    await Promise.all([feed.wake(), other.wake()]);
    const all = (await feed.after(0, 1_000)).map(({ seq }) => seq);
    expect(all).toEqual(Array.from({ length: all.length }, (_, n) => n + 1));
    expect(heard).toEqual([all, all]);
    await other.onModuleDestroy();
  });

  verifies('events:resume', `${_name}, at every cursor`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 12 }), fc.nat({ max: 40 }), async (sizes, cut) => {
        const start = feed.head;
        for (const size of sizes) await write(...Array.from({ length: size }, (_, n) => `${n}`));
        const cursor = Math.min(start + cut, feed.head);
        const missed = await feed.missed(cursor);
        const seqs = 'events' in missed ? missed.events.map(({ seq }) => seq) : undefined;
        expect(seqs).toEqual(Array.from({ length: feed.head - cursor }, (_, n) => cursor + 1 + n));
      }),
      { numRuns: 15 },
    );
  });

  verifies('events:resync', _name, async () => {
    await write(...Array.from({ length: MAX_BEHIND + 5 }, (_, n) => `${n}`));
    const head = feed.head;
    expect(await feed.missed(4)).toEqual({ resync: head });
    expect(await feed.missed(5)).toMatchObject({ events: { length: MAX_BEHIND } });
    expect(await feed.missed(head)).toEqual({ events: [] });
    expect(await feed.missed(head + 1)).toEqual({ resync: head });

    clock.at = 100_000;
    await write('new');
    expect(await feed.trim(50_000, 3)).toBe(head - 2);
    expect((await feed.after(0, 10)).map(({ seq }) => seq)).toEqual([head - 1, head, head + 1]);
    expect(await feed.missed(head - 3)).toEqual({ resync: head + 1 });
    expect(await feed.missed(head - 2)).toMatchObject({ events: { length: 3 } });
    expect(await feed.trim(50_000, 3)).toBe(0);
  });

  it('waits for an event that another process announced before its own reading', async () => {
    const other = new EventFeed(db, clock);
    await other.write((_tx, append) => append(SCOPE, body('a')));
    expect(feed.head).toBe(0);
    expect(await feed.missed(1)).toEqual({ events: [] });
    expect(feed.head).toBe(1);
  });
});
