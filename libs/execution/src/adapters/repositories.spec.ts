import type { OutputChunk, PlanId, PrincipalId, ReceiptId, Run, RunId, SessionId, Workspace, WorkspaceId } from '#contracts';
import { type Database, EventFeed, newId, type Tx } from '#platform';
import { TestClock } from '../../../../test/support/clock.js';
import { engines } from '../../../../test/support/engines.js';
import { aPlan, aRun, aSession, NOBODY, the } from '../../../../test/support/plans.js';
import type { LeasedRun } from '../repositories.js';
import { executionMigrations } from './execution.migrations.js';
import { KyselyLeaseRepository } from './kysely-lease.repository.js';
import { KyselyPlanRepository } from './kysely-plan.repository.js';
import { KyselyRunRepository } from './kysely-run.repository.js';
import { KyselySessionRepository } from './kysely-session.repository.js';
import { KyselyWorkspaceRepository } from './kysely-workspace.repository.js';

describe.each(engines)('repositories on %s', (_name, open) => {
  let db: Database;
  let feed: EventFeed;
  let workspaces: KyselyWorkspaceRepository;
  let sessions: KyselySessionRepository;
  let plans: KyselyPlanRepository;
  let runs: KyselyRunRepository;

  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => feed.write(work);
  const aWorkspace = (change: Partial<Workspace> = {}): Workspace => ({
    id: aPlan().workspaceId,
    name: 'site',
    root: '/srv/site',
    mode: 'confirm',
    toolPaths: ['/opt/bin'],
    gitIdentity: null,
    createdAt: 1,
    ...change,
  });
  const leased = (run: Run, leaseOwner = 'me'): LeasedRun => ({ run, leaseOwner, startedBy: NOBODY, processes: [] });

  beforeEach(async () => {
    db = await open(executionMigrations);
    feed = new EventFeed(db, new TestClock());
    workspaces = new KyselyWorkspaceRepository(db);
    sessions = new KyselySessionRepository(db);
    plans = new KyselyPlanRepository(db);
    runs = new KyselyRunRepository(db);
    await write((tx) => workspaces.insert(tx, aWorkspace()));
    await write((tx) => sessions.insert(tx, aSession()));
  });
  afterEach(() => db.destroy());

  describe('workspaces', () => {
    it('come back as they went in', async () => {
      expect(await workspaces.find(aWorkspace().id)).toEqual(aWorkspace());
      const changed = aWorkspace({ mode: 'trusted', gitIdentity: { name: 'Ada', email: 'ada@example.org' }, toolPaths: [] });
      expect(await write((tx) => workspaces.update(tx, changed))).toBe(true);
      expect(await workspaces.list()).toEqual([changed]);
    });

    it('refuse a second one with the same name or root, also by renaming', async () => {
      const other = aWorkspace({ id: newId<WorkspaceId>(), name: 'other', root: '/srv/other' });
      expect(await write((tx) => workspaces.insert(tx, { ...other, name: 'site' }))).toBe(false);
      expect(await write((tx) => workspaces.insert(tx, { ...other, root: '/srv/site' }))).toBe(false);
      expect(await write((tx) => workspaces.insert(tx, other))).toBe(true);
      expect(await write((tx) => workspaces.update(tx, { ...other, name: 'site' }))).toBe(false);
      expect(await workspaces.find(other.id)).toEqual(other);
    });
  });

  describe('sessions', () => {
    it('are listed by what is asked for, the last used first', async () => {
      const id = newId<SessionId>();
      await write((tx) => sessions.insert(tx, aSession({ id, lastActiveAt: 5 })));
      await write((tx) => sessions.insert(tx, aSession({ id: newId<SessionId>(), owner: 'other' as PrincipalId })));
      expect((await sessions.list({ owner: NOBODY, status: 'open' })).map((one) => one.id)).toEqual([id, aSession().id]);
      expect((await write((tx) => sessions.openOf(tx, NOBODY, 9))).map((one) => one.id)).toEqual([id, aSession().id]);
      expect(await sessions.list({})).toHaveLength(3);
    });

    it('close once, and are not touched afterwards', async () => {
      const { id } = aSession();
      expect(await write((tx) => sessions.touch(tx, id, 7))).toBe(true);
      expect(await write((tx) => sessions.close(tx, id, 'closed', 8))).toBe(true);
      expect(await write((tx) => sessions.close(tx, id, 'closed', 9))).toBe(false);
      expect(await write((tx) => sessions.touch(tx, id, 9))).toBe(false);
      expect(await sessions.find(id)).toMatchObject({ status: 'closed', lastActiveAt: 7, closedAt: 8 });
    });

    it.each(['awaiting_approval', 'approved', 'running'] as const)('are kept alive by a plan that is %s', async (status) => {
      const { id } = aSession();
      await write((tx) => plans.insert(tx, aPlan({ status: status === 'running' ? 'approved' : status }), null));
      if (status === 'running') await write((tx) => runs.claim(tx, leased(aRun())));
      expect(await sessions.idle(10_000, 10)).toEqual([]);
      expect(await write((tx) => sessions.expire(tx, id, 10_000, 10_000))).toBe(false);
    });

    it('expire when nothing keeps them alive', async () => {
      const { id } = aSession();
      await write((tx) => plans.insert(tx, aPlan({ status: 'blocked' }), null));
      expect(await sessions.idle(-1, 10)).toEqual([]);
      expect(await sessions.idle(0, 10)).toEqual([id]);
      expect(await write((tx) => sessions.expire(tx, id, 0, 3))).toBe(true);
      expect(await sessions.find(id)).toMatchObject({ status: 'expired', closedAt: 3 });
    });
  });

  describe('plans', () => {
    it('come back as they went in', async () => {
      const plan = aPlan({ status: 'awaiting_approval', askId: 'ask' as never });
      expect(await write((tx) => plans.insert(tx, plan, 'key'))).toBe(true);
      expect(await plans.find(plan.id)).toEqual(plan);
      expect(await plans.waiting('key')).toEqual(plan);
      await write((tx) => plans.link(tx, plan.id, { receiptId: 'r' as ReceiptId }));
      expect(await write((tx) => plans.find(plan.id, tx))).toEqual({ ...plan, receiptId: 'r' });
    });

    it('lets exactly one of many writers win', async () => {
      await write((tx) => plans.insert(tx, aPlan({ status: 'awaiting_approval' }), 'key'));
      const tries = (['approved', 'rejected', 'cancelled', 'expired'] as const).map((to) =>
        write((tx) => plans.move(tx, aPlan().id, { from: ['awaiting_approval'], to, expiresAt: 5 })),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await plans.find(aPlan().id)).toMatchObject({ expiresAt: 5 });
    });

    it('lets one plan stand for all identical ones until it is over', async () => {
      const second = newId<PlanId>();
      const inserts = [aPlan(), aPlan({ id: second })].map((plan) => write((tx) => plans.insert(tx, plan, 'key')));
      expect((await Promise.all(inserts)).filter(Boolean)).toHaveLength(1);
      const waiting = await plans.waiting('key');
      await write((tx) => plans.move(tx, the(waiting).id, { from: ['approved'], to: 'cancelled' }));
      expect(await plans.waiting('key')).toBeUndefined();
      expect(await write((tx) => plans.insert(tx, aPlan({ id: newId<PlanId>() }), 'key'))).toBe(true);
    });

    it('are paged from new to old, by owner, session and status', async () => {
      const ids = Array.from({ length: 5 }, () => newId<PlanId>());
      for (const [index, id] of ids.entries())
        await write((tx) => plans.insert(tx, aPlan({ id, status: index === 2 ? 'blocked' : 'approved' }), null));
      const page = await plans.page({ seen: { owner: NOBODY, workspaces: [] }, limit: 2 });
      expect(page.map(({ id }) => id)).toEqual([ids[4], ids[3]]);
      expect((await plans.page({ before: page.at(-1)?.id, limit: 9 })).map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]]);
      expect((await plans.page({ status: 'blocked', sessionId: aSession().id, limit: 9 })).map(({ id }) => id)).toEqual([ids[2]]);
      expect(await plans.page({ seen: { owner: 'other' as PrincipalId, workspaces: [] }, limit: 9 })).toEqual([]);
      expect(await write((tx) => plans.openIn(tx, aSession().id))).toHaveLength(4);
      expect(await plans.overdue(901_000, 10)).toHaveLength(4);
      expect(await plans.overdue(900_999, 10)).toEqual([]);
    });
  });

  describe('runs', () => {
    const claim = (run: Run) =>
      write(async (tx) => {
        const answer = await runs.claim(tx, leased(run));
        if (answer !== 'claimed') throw new Error(answer); // roll back, as the claim's caller does
        return answer;
      });

    beforeEach(() => write((tx) => plans.insert(tx, aPlan(), null)));

    it('are claimed by exactly one of twenty', async () => {
      const tries = Array.from({ length: 20 }, () => claim(aRun({ id: newId<RunId>() })));
      const settled = await Promise.allSettled(tries);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const [run] = await runs.page({ isActive: true, limit: 50 });
      expect(await plans.find(aPlan().id)).toMatchObject({ status: 'running', runId: run?.id });
      expect(await sessions.activeRun(aSession().id)).toBe(run?.id);
    });

    it('leave the plan approved when the session is busy or closed', async () => {
      const other = aPlan({ id: newId<PlanId>() });
      await write((tx) => plans.insert(tx, other, null));
      await claim(aRun());
      await expect(claim(aRun({ id: newId<RunId>(), planId: other.id }))).rejects.toThrow('session_taken');
      expect(await plans.find(other.id)).toMatchObject({ status: 'approved' });
    });

    it('are not claimed after the time of the plan', async () => {
      await expect(claim(aRun({ startedAt: 901_000 }))).rejects.toThrow('plan_taken');
    });

    it('end once, whoever ends them, and give plan and session free', async () => {
      await claim(aRun());
      const end = { outcome: 'failed' as const, endedAt: 9_000, exitCode: 3, signal: null };
      const ends = Array.from({ length: 5 }, () => write((tx) => runs.end(tx, aRun(), end)));
      expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(1);
      await write((tx) => runs.link(tx, aRun(), 'receipt' as ReceiptId));
      expect(await runs.find(aRun().id)).toEqual({ ...aRun(), ...end, status: 'ended', receiptId: 'receipt' });
      expect(await plans.find(aPlan().id)).toMatchObject({ status: 'failed', receiptId: 'receipt' });
      expect(await sessions.activeRun(aSession().id)).toBeUndefined();
      expect(await sessions.find(aSession().id)).toMatchObject({ lastActiveAt: 9_000 });
      expect(await write((tx) => runs.move(tx, aRun().id, 'paused'))).toBe(false);
      expect(await runs.leased()).toEqual([]);
    });

    it('keep what was started, for whoever must clear up', async () => {
      await claim(aRun());
      const processes = [
        { pid: 7, processStart: '42' },
        { pid: 8, processStart: null },
      ];
      await write((tx) => runs.spawned(tx, aRun().id, processes));
      expect(await runs.leased()).toEqual([{ ...leased(aRun()), processes }]);
    });

    it('hand a wish over to their owner once', async () => {
      await claim(aRun());
      expect(await runs.wish(aRun().id, 'pause', null)).toBe(true);
      expect(await runs.wish(aRun().id, 'cancel', 'caller')).toBe(true);
      expect(await runs.takeWishes('other')).toEqual([]);
      expect(await runs.takeWishes('me')).toEqual([{ runId: aRun().id, wish: 'cancel', reason: 'caller' }]);
      expect(await runs.takeWishes('me')).toEqual([]);
      await write((tx) => runs.end(tx, aRun(), { outcome: 'cancelled', endedAt: 1, exitCode: null, signal: 15 }));
      expect(await runs.wish(aRun().id, 'cancel', 'caller')).toBe(false);
    });

    it('keep output in order, by number', async () => {
      const chunks: OutputChunk[] = [1, 2, 3].map((seq) => ({
        seq,
        stream: seq === 2 ? 'stderr' : 'stdout',
        text: `line ${String(seq)}\n😀\0`,
        at: seq,
      }));
      await write((tx) => runs.appendOutput(tx, aRun().id, chunks));
      await write((tx) => runs.appendOutput(tx, aRun().id, []));
      expect(await runs.output(aRun().id, 0, 10)).toEqual(chunks);
      expect(await runs.output(aRun().id, 1, 1)).toEqual([chunks[1]]);
      await expect(write((tx) => runs.appendOutput(tx, aRun().id, chunks))).rejects.toThrow();
    });
  });

  it('lease owners are registered, heard of, and cleared away', async () => {
    const leases = new KyselyLeaseRepository(db);
    const owner = { id: 'a', place: 'here', pid: 4, processStart: null, heartbeatAt: 1 };
    await leases.beat(owner);
    await leases.beat({ ...owner, heartbeatAt: 5 });
    expect(await leases.list()).toEqual([{ ...owner, heartbeatAt: 5 }]);
    await leases.remove('a', 1);
    expect(await leases.list()).toHaveLength(1); // it has given a sign of life since
    await leases.remove('a', 5);
    expect(await leases.list()).toEqual([]);
    await leases.beat(owner);
    await leases.remove('a', undefined);
    expect(await leases.list()).toEqual([]);
  });
});
