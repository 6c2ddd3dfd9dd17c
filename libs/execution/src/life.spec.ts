import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Plan, PlanId, ReceiptId, RunId } from '#contracts';
import { AppError, type Database } from '#platform';
import { Asks } from '#policy';
import { Receipts, Retention } from '#receipts';
import { engines } from '../../../test/support/engines.js';
import { bootExecution, type ExecutionApp } from '../../../test/support/execution.js';
import { the } from '../../../test/support/plans.js';
import type { ExecutionTables } from './adapters/execution.tables.js';
import { Claims } from './claims.js';
import { Housekeeping } from './housekeeping.js';
import type { NumberedFrame } from './live-run.js';
import { Lease } from './lease.js';
import { LiveRuns } from './live-runs.js';
import { Planner } from './planner.js';
import { Plans } from './plans.js';
import { Recovery } from './recovery.js';
import { RemoteWishes } from './remote-wishes.js';
import { Runs } from './runs.js';
import { SessionEndings } from './session-endings.js';
import { Sessions } from './sessions.js';

const tables = (db: Database) => db.$extendTables<ExecutionTables>();

describe.each(engines)('the life of sessions, plans and runs on %s', (_name, open) => {
  let app: ExecutionApp;
  beforeEach(async () => {
    app = await bootExecution({ open });
  });
  afterEach(() => app.close());

  const plan = (...argv: string[]): Promise<Plan> => app.get(Planner).plan({ principal: app.agent, request: { kind: 'command', argv } });
  const begin = async (...argv: string[]) => {
    const planned = await plan(...argv);
    return app.get(Claims).claim(app.agent, planned.id);
  };
  const held = async () => {
    app.executor.holds = true;
    const live = await begin('ls');
    return { live, id: live.started.run.id };
  };
  const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'done',
      (thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown),
    );
  const fileOf = async (id: RunId) => {
    const run = await app.get(Runs).get(app.agent, id);
    return { run, file: await app.get(Receipts).find(run.receiptId as ReceiptId) };
  };

  describe('planning the same again', () => {
    it('gives the same plan and one card while it waits, also when asked at once, and after the approval', async () => {
      await app.get(Sessions).open(app.agent);
      const plans = await Promise.all(Array.from({ length: 5 }, () => plan('rm', 'x')));
      expect(new Set(plans.map(({ id }) => id)).size).toBe(1);
      const [first] = plans;
      const { items } = await app.get(Asks).list({ principal: app.person, state: 'open' });
      expect(items).toMatchObject([{ planId: first?.id, title: 'Delete files', summary: 'rm x', digest: first?.digest }]);
      await app.approve({ ...the(first), askId: the(items[0]).id });
      expect(await plan('rm', 'x')).toMatchObject({ id: first?.id, status: 'approved' });
      await (
        await app.get(Claims).claim(app.agent, the(first).id)
      ).ended;
      expect((await plan('rm', 'x')).id).not.toBe(first?.id);
    });

    it('makes another plan for other words, another session, and after a refusal', async () => {
      const first = await plan('rm', 'x');
      expect((await plan('rm', 'y')).id).not.toBe(first.id);
      const { id: sessionId } = await app.get(Sessions).open(app.agent);
      const there = await app.get(Planner).plan({ principal: app.agent, sessionId, request: { kind: 'command', argv: ['rm', 'x'] } });
      expect(there.id).not.toBe(first.id);
      await app.get(Asks).vote({ principal: app.person, askId: the(first.askId), answer: 'deny', digest: first.digest, reason: 'no' });
      expect(await app.get(Plans).get(app.agent, first.id)).toMatchObject({ status: 'rejected' });
    });

    it('does not join what policy allows: each such plan may run', async () => {
      expect((await plan('ls')).id).not.toBe((await plan('ls')).id);
    });
  });

  it('writes a receipt of the decision when policy blocks and when a person rejects', async () => {
    const blocked = await plan('sudo', 'ls');
    expect(blocked).toMatchObject({ status: 'blocked', decision: { outcome: 'deny' } });
    const asked = await plan('rm', 'x');
    await app.get(Asks).vote({ principal: app.person, askId: the(asked.askId), answer: 'deny', digest: asked.digest, reason: 'not now' });
    const rejected = await app.get(Plans).get(app.agent, asked.id);
    expect(rejected.status).toBe('rejected');
    const files = await Promise.all([blocked, rejected].map(({ receiptId }) => app.get(Receipts).find(receiptId as ReceiptId)));
    expect(files).toMatchObject([
      { receipt: null, evidence: { kind: 'decision', outcome: 'blocked', plan_id: blocked.id } },
      {
        receipt: null,
        evidence: { kind: 'decision', outcome: 'rejected', approvals: [{ name: 'Ada', answer: 'deny', reason: 'not now' }] },
      },
    ]);
  });

  it('silence, second thoughts and an approval that nobody used leave evidence by their own words', async () => {
    const evidenceOf = async (id: PlanId) => {
      const { receiptId } = await app.get(Plans).get(app.agent, id);
      return receiptId && (await app.get(Receipts).find(receiptId))?.evidence;
    };
    const takenBack = await plan('rm', 'a');
    await app.get(Plans).cancel(app.agent, takenBack.id);
    expect(await evidenceOf(takenBack.id)).toMatchObject({ kind: 'decision', outcome: 'cancelled', approvals: [] });
    const unused = await plan('rm', 'b');
    await app.approve(unused);
    const silent = await plan('rm', 'c');
    const unasked = await plan('ls');
    app.clock.at += 86_400_000;
    await app.get(Asks).expireOverdue();
    await app.get(Plans).expireOverdue();
    expect(await evidenceOf(silent.id)).toMatchObject({ kind: 'decision', outcome: 'expired', approvals: [] });
    expect(await evidenceOf(unused.id)).toMatchObject({ kind: 'decision', outcome: 'expired', approvals: [{ answer: 'approve' }] });
    expect(await app.get(Plans).get(app.agent, unasked.id)).toMatchObject({ status: 'expired', receiptId: null });
  });

  it('what no rule keeps goes: output, then plans with their runs and asks; receipts stay', async () => {
    const retention = app.get(Retention);
    app.clock.at = Date.now(); // ids and the executor go by the real clock
    const asked = await plan('rm', 'x');
    await app.approve(asked);
    const live = await app.get(Claims).claim(app.agent, asked.id);
    await live.ended;
    const { receiptId } = await app.get(Runs).get(app.agent, live.started.run.id);
    const waiting = await plan('rm', 'y');
    await retention.add({ by: app.person, subject: 'output', workspaceId: app.workspace.id, keepDays: 2 });
    expect(await retention.run()).toBe(0);
    app.clock.at += 3 * 86_400_000;
    expect(await retention.run()).toBe(1);
    await retention.add({ by: app.person, subject: 'plan', workspaceId: app.workspace.id, keepDays: 2 });
    expect(await retention.run()).toBe(2); // a plan and its ask
    expect(await codeOf(app.get(Plans).get(app.agent, asked.id))).toBe('PLAN_NOT_FOUND');
    expect(await app.get(Asks).find(the(asked.askId))).toBeUndefined();
    expect((await app.get(Plans).get(app.agent, waiting.id)).id).toBe(waiting.id);
    expect(await app.get(Receipts).find(receiptId as ReceiptId)).toBeDefined();
  });

  it('a plan whose ask nobody answers expires with it, and says so by its own word', async () => {
    const asked = await plan('rm', 'x');
    app.clock.at += 86_400_000;
    expect(await codeOf(app.get(Claims).claim(app.agent, asked.id))).toBe('PLAN_EXPIRED');
    await app.get(Asks).expireOverdue();
    expect(await app.get(Plans).get(app.agent, asked.id)).toMatchObject({ status: 'expired' });
  });

  it('a plan that is taken back closes its ask, and the other way round', async () => {
    const asked = await plan('rm', 'x');
    expect(await app.get(Plans).cancel(app.agent, asked.id)).toMatchObject({ status: 'cancelled' });
    expect(await app.get(Asks).find(the(asked.askId))).toMatchObject({ status: 'cancelled' });
    expect(await codeOf(app.approve(asked))).toBe('ASK_ALREADY_RESOLVED');
    expect(await codeOf(app.get(Plans).cancel(app.agent, asked.id))).toBe('PLAN_STATUS_CONFLICT');
    const allowed = await plan('ls');
    expect(await app.get(Plans).cancel(app.agent, allowed.id)).toMatchObject({ status: 'cancelled' });
  });

  describe('sessions', () => {
    it('one is opened by itself and used again', async () => {
      const [one, two] = await Promise.all([plan('ls'), plan('ls', '-l')]);
      expect(two.sessionId).toBe(one.sessionId);
      expect((await plan('ls', '-a')).sessionId).toBe(one.sessionId);
      expect(await app.get(Sessions).list(app.agent)).toHaveLength(1);
    });

    it('are limited, also when opened at once', async () => {
      const opened = await Promise.allSettled(Array.from({ length: 15 }, () => app.get(Sessions).open(app.agent)));
      expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      expect(await codeOf(app.get(Sessions).open(app.agent))).toBe('SESSION_LIMIT');
      expect(await codeOf(app.get(Sessions).open(app.person))).toBe('done');
    });

    it('end with everything in them', async () => {
      const waiting = await plan('rm', 'x');
      const approved = await plan('ls', '-l');
      const { id } = await held();
      const session = await app.get(Sessions).get(app.agent, waiting.sessionId);
      expect(await app.get(SessionEndings).close(session)).toMatchObject({ status: 'closed' });
      const now = (planId: PlanId) => app.get(Plans).get(app.agent, planId);
      expect([(await now(waiting.id)).status, (await now(approved.id)).status]).toEqual(['cancelled', 'cancelled']);
      const { run, file } = await fileOf(id);
      expect(run).toMatchObject({ status: 'ended', outcome: 'cancelled' });
      expect(file).toMatchObject({ receipt: { status: 'cancelled' }, evidence: { details: { ended_by: 'session_closed' } } });
      expect(
        await codeOf(app.get(Planner).plan({ principal: app.agent, sessionId: session.id, request: { kind: 'command', argv: ['ls'] } })),
      ).toBe('SESSION_CLOSED');
    });

    it('expire after an hour without activity, but not while something keeps them alive', async () => {
      const { sessionId } = await plan('rm', 'x');
      const status = async () => (await app.get(Sessions).get(app.agent, sessionId)).status;
      app.clock.at += 3_600_000;
      await app.get(Housekeeping).look();
      expect(await status()).toBe('open');
      app.clock.at += 82_800_000;
      await app.get(Asks).expireOverdue();
      await app.get(Housekeeping).look();
      expect(await status()).toBe('expired');
    });
  });

  describe('runs', () => {
    it('pause and go on, and tell it', async () => {
      const { id } = await held();
      expect(await app.get(Runs).pause(app.agent, id)).toMatchObject({ status: 'paused' });
      expect(await app.get(Runs).pause(app.agent, id)).toMatchObject({ status: 'paused' });
      expect(await app.get(Runs).resume(app.agent, id)).toMatchObject({ status: 'running' });
      app.executor.end(id);
      await app.get(Runs).waitEnded(id, 5_000);
      expect(await codeOf(app.get(Runs).pause(app.agent, id))).toBe('RUN_ENDED');
    });

    it('are cancelled with a receipt, and only by those who may', async () => {
      const { id } = await held();
      const viewer = { ...app.person, id: 'viewer' as typeof app.person.id, scopes: ['receipts:read'] as const };
      expect(await codeOf(app.get(Runs).cancel(viewer, id))).toBe('SCOPE_MISSING');
      expect(await codeOf(app.get(Runs).cancel({ ...app.agent, id: 'x' as typeof app.agent.id }, id))).toBe('RUN_NOT_FOUND');
      expect(await app.get(Runs).cancel(app.person, id)).toMatchObject({ status: 'ended', outcome: 'cancelled' });
      const { file } = await fileOf(id);
      expect(file).toMatchObject({
        receipt: { status: 'cancelled', signal: 15 },
        evidence: { outcome: 'cancelled', details: { ended_by: 'caller' } },
      });
    });

    it('keep what the executor dies of', async () => {
      const { live, id } = await held();
      app.executor.die();
      await live.ended;
      const { file } = await fileOf(id);
      expect(file).toMatchObject({
        receipt: { status: 'failed' },
        evidence: { outcome: 'interrupted', details: { failure: 'The executor died' } },
      });
    });

    it('are told to viewers after they are stored, numbered without gap, and end once', async () => {
      const frames: NumberedFrame[] = [];
      const watching = app.get(LiveRuns).frames.subscribe((frame) => frames.push(frame));
      const { live, id } = await held();
      for (let turn = 0; turn < 5; turn += 1) {
        app.executor.emit({ type: 'output', runId: id, stream: turn % 2 ? 'stderr' : 'stdout', text: `line ${String(turn)}\n`, at: turn });
        await sleep(60);
      }
      app.executor.emit({ type: 'output', runId: id, stream: 'stdout', text: 'tail', at: 9 });
      app.executor.end(id);
      await live.ended;
      watching.unsubscribe();
      expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, index) => index + 1));
      expect(frames.at(-1)?.frame).toMatchObject({ type: 'ended', outcome: 'succeeded' });
      const stored = await app.get(Runs).output(app.agent, id, 0, 100);
      expect(stored.ended).toBe(true);
      expect(stored.items).toEqual(
        frames
          .slice(0, -1)
          .map(({ frame }) => ({ ...frame, type: undefined }))
          .map(({ type: _type, ...chunk }) => chunk),
      );
      expect(stored.items.map(({ text }) => text).join('')).toBe('line 0\nline 1\nline 2\nline 3\nline 4\ntail');
    });

    it('end all of one principal when its input ends, and of nobody else', async () => {
      const { live, id } = await held();
      await app.get(Runs).endAllOf(app.person.id);
      expect((await app.get(Runs).get(app.agent, id)).status).not.toBe('ended');
      await app.get(Runs).endAllOf(app.agent.id);
      expect(await live.ended).toMatchObject({ outcome: 'cancelled' });
      expect((await fileOf(id)).file?.evidence.details).toEqual({ ended_by: 'input_ended' });
    });

    it('end as interrupted when the server stops, each with a receipt, and nothing new starts', async () => {
      const { live } = await held();
      const waiting = await plan('ls', '-l');
      const stopping = app.stop();
      const run = await live.ended;
      expect(run).toMatchObject({ status: 'ended', outcome: 'interrupted' });
      expect(await codeOf(app.get(Claims).claim(app.agent, waiting.id))).toBe('SHUTTING_DOWN');
      await stopping;
      const row = await tables(app.db).selectFrom('runs').selectAll().executeTakeFirstOrThrow();
      expect(row).toMatchObject({ status: 'ended', outcome: 'interrupted', receipt_id: run.receiptId });
    });
  });

  it('a claim that is under way when the server stops ends as interrupted, with a receipt', async () => {
    app.executor.holds = true;
    const planned = await plan('ls');
    const write = app.feed.write.bind(app.feed);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    app.feed.write = async (work) => {
      app.feed.write = write;
      await held;
      return write(work);
    };
    const claiming = app.get(Claims).claim(app.agent, planned.id);
    await sleep(50);
    const stopping = app.stop();
    await sleep(50);
    letGo();
    expect(await (await claiming).ended).toMatchObject({
      status: 'ended',
      outcome: 'interrupted',
      receiptId: expect.any(String) as string,
    });
    await stopping;
    expect(await tables(app.db).selectFrom('lease_owners').select('id').execute()).toEqual([]);
  });

  describe('beside another process', () => {
    let other: ExecutionApp;
    beforeEach(async () => {
      other = await bootExecution({ open, beside: app });
    });
    afterEach(() => other.close());

    it('a run is paused and ended where it lives', async () => {
      const { live, id } = await held();
      const pausing = other.get(Runs).pause(app.agent, id);
      await sleep(20);
      await app.get(RemoteWishes).look();
      await other.feed.wake();
      expect(await pausing).toMatchObject({ status: 'paused' });
      await other.get(Runs).stop(id, 'caller');
      await app.get(RemoteWishes).look();
      expect(await live.ended).toMatchObject({ outcome: 'cancelled' });
      expect(await other.get(Runs).waitEnded(id, 5_000)).toMatchObject({ status: 'ended', receiptId: expect.any(String) as string });
    });

    it('recovery leaves the runs of a living owner alone', async () => {
      const { id } = await held();
      await other.get(Recovery).recover();
      expect(await app.get(Runs).get(app.agent, id)).toMatchObject({ receiptId: null });
    });

    it('two claims of one plan in two processes start one run', async () => {
      const planned = await plan('ls');
      const claims = [app, other].flatMap((one) => Array.from({ length: 5 }, () => one.get(Claims).claim(app.agent, planned.id)));
      const settled = await Promise.allSettled(claims);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(app.executor.started.length + other.executor.started.length).toBe(1);
    });
  });

  describe('recovery', () => {
    /** What a process leaves behind that was killed at this point of a run. */
    const deadOwner = async (change: { readonly place?: string; readonly heartbeatAt?: number } = {}) => {
      const { place, heartbeatAt = app.clock.at } = change;
      const [self] = await tables(app.db).selectFrom('lease_owners').selectAll().execute();
      await tables(app.db)
        .insertInto('lease_owners')
        .values({ id: 'dead', place: place ?? the(self).place, pid: 999_999_999, process_start: '1', heartbeat_at: heartbeatAt })
        .execute();
      const { id } = await held();
      await sleep(200); // what it wrote by itself
      await tables(app.db).updateTable('runs').set({ lease_owner: 'dead' }).where('id', '=', id).execute();
      return id;
    };

    it('ends the run of a dead owner as interrupted, with one receipt, and never runs it again', async () => {
      const id = await deadOwner();
      await Promise.all([app.get(Recovery).recover(), app.get(Recovery).recover()]);
      const { run, file } = await fileOf(id);
      expect(run).toMatchObject({ status: 'ended', outcome: 'interrupted' });
      expect(file).toMatchObject({
        receipt: { status: 'failed' },
        evidence: { outcome: 'interrupted', details: { ended_by: 'owner_died' } },
      });
      expect((await app.events()).filter((type) => type === 'receipt.written')).toHaveLength(1);
      expect(app.executor.started).toHaveLength(1);
      expect(await codeOf(app.get(Claims).claim(app.agent, run.planId))).toBe('PLAN_ALREADY_RUN');
      expect((await tables(app.db).selectFrom('lease_owners').select('id').execute()).map((row) => row.id)).not.toContain('dead');
    });

    it('believes in an owner elsewhere as long as it is heard of', async () => {
      const id = await deadOwner({ place: 'elsewhere' });
      await app.get(Recovery).recover();
      expect(await app.get(Runs).get(app.agent, id)).toMatchObject({ outcome: null });
      app.clock.at += 61_000;
      await tables(app.db).updateTable('lease_owners').set({ heartbeat_at: 5 }).where('id', '=', 'dead').execute(); // a sign of life
      await app.get(Recovery).recover();
      expect(await app.get(Runs).get(app.agent, id)).toMatchObject({ outcome: null });
      app.clock.at += 61_000;
      await app.get(Recovery).recover();
      expect(await fileOf(id)).toMatchObject({
        run: { outcome: 'interrupted' },
        file: { evidence: { details: { failure: expect.stringContaining('Nothing was heard of the server') as string } } },
      });
    });

    it('takes nobody for dead because a clock was set, here or there', async () => {
      const id = await deadOwner({ place: 'elsewhere', heartbeatAt: app.clock.at - 86_400_000 });
      await app.get(Recovery).recover();
      app.clock.jump = 3_600_000;
      await app.get(Recovery).recover();
      app.clock.jump = -3_600_000;
      await app.get(Recovery).recover();
      expect(await app.get(Runs).get(app.agent, id)).toMatchObject({ outcome: null });
      app.clock.jump = 0;
    });

    it('finds the runs of an owner that nobody knows any more', async () => {
      const id = await deadOwner({ place: 'elsewhere' });
      await tables(app.db).deleteFrom('lease_owners').where('id', '=', 'dead').execute();
      await app.get(Recovery).recover();
      expect(await app.get(Runs).get(app.agent, id)).toMatchObject({ outcome: null }); // it may be about to register again
      app.clock.at += 61_000;
      await app.get(Recovery).recover();
      expect(await app.get(Runs).get(app.agent, id)).toMatchObject({ outcome: 'interrupted' });
    });

    it('ends a start whose commit was written and whose answer was lost, and says that nothing was started', async () => {
      const planned = await plan('ls');
      const write = app.feed.write.bind(app.feed);
      app.feed.write = async (work) => {
        await write(work);
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      };
      await expect(app.get(Claims).claim(app.agent, planned.id)).rejects.toThrow('Connection terminated');
      app.feed.write = write;
      expect(await app.get(Plans).get(app.agent, planned.id)).toMatchObject({ status: 'running' });
      await app.get(Recovery).recover();
      const { runId } = await app.get(Plans).get(app.agent, planned.id);
      const { run, file } = await fileOf(the(runId));
      expect(run).toMatchObject({ outcome: 'interrupted' });
      expect(file).toMatchObject({
        receipt: { output_truncated: false },
        evidence: { details: { failure: expect.stringContaining('nothing was started') as string } },
      });
      expect(app.executor.started).toEqual([]);
    });

    it('leaves a start alone that is being written, whatever the clock says', async () => {
      const planned = await plan('ls');
      const write = app.feed.write.bind(app.feed);
      app.feed.write = async (work) => {
        const answer = await write(work);
        app.feed.write = write;
        app.clock.jump = 86_400_000;
        await app.get(Recovery).recover(); // the row is there, its owner has not heard of it yet
        return answer;
      };
      const { ended } = await app.get(Claims).claim(app.agent, planned.id);
      expect(await ended).toMatchObject({ outcome: 'succeeded' });
      app.clock.jump = 0;
    });

    it('a process that was thought dead ends what it still carries out, keeps the receipt of the others, and is found again', async () => {
      const { live, id } = await held();
      const other = await bootExecution({ open, beside: app });
      try {
        await tables(app.db).updateTable('lease_owners').set({ place: 'elsewhere' }).execute();
        await other.get(Recovery).recover();
        app.clock.at += 61_000; // it stands still: no sign of life comes
        await other.get(Recovery).recover();
        const { run, file } = await fileOf(id);
        expect(run).toMatchObject({ status: 'ended', outcome: 'interrupted' });
        await app.get(Lease).beat();
        await app.get(Recovery).recover();
        expect(await live.ended).toMatchObject({ outcome: 'interrupted', receiptId: run.receiptId });
        expect(app.executor.active).toEqual([]);
        expect((await fileOf(id)).file?.receipt?.signature).toBe(file?.receipt?.signature);
        const owners = await tables(app.db).selectFrom('lease_owners').select('id').execute();
        expect(owners.map((owner) => owner.id)).toContain(app.get(Lease).id);
      } finally {
        await other.close();
      }
    });

    it('leaves approved plans approved', async () => {
      const planned = await plan('ls', '-l');
      await deadOwner();
      await app.get(Recovery).recover();
      expect(await app.get(Plans).get(app.agent, planned.id)).toMatchObject({ status: 'approved' });
    });
  });
});

it('every run that is started ends with exactly one receipt, whatever happens to it', async () => {
  const deeds = fc.array(
    fc.constantFrom('plan', 'claim', 'claim', 'pause', 'resume', 'cancel', 'end', 'fail', 'die', 'close', 'recover', 'late'),
    {
      minLength: 3,
      maxLength: 25,
    },
  );
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const app = await bootExecution();
      app.executor.holds = true;
      const plans: Plan[] = [];
      const ignore = (): undefined => undefined; // a refusal is an answer
      for (const deed of list) {
        const [active] = app.executor.active;
        switch (deed) {
          case 'plan':
            plans.push(await app.get(Planner).plan({ principal: app.agent, request: { kind: 'command', argv: ['ls'] } }));
            break;
          case 'claim':
            await Promise.all(plans.map(({ id }) => app.get(Claims).claim(app.agent, id).catch(ignore)));
            break;
          case 'pause':
          case 'resume':
            if (active) await app.get(Runs)[deed](app.agent, active).catch(ignore);
            break;
          case 'cancel':
            if (active) await app.get(Runs).cancel(app.agent, active).catch(ignore);
            break;
          case 'end':
            if (active) app.executor.end(active);
            break;
          case 'fail':
            if (active) app.executor.end(active, { outcome: 'failed', exitCode: 1 });
            break;
          case 'die':
            app.executor.die();
            break;
          case 'close':
            for (const session of await app.get(Sessions).list(app.agent)) await app.get(SessionEndings).close(session);
            break;
          case 'recover':
            await app.get(Recovery).recover();
            break;
          case 'late':
            app.clock.at += 300_000;
            await app.get(Housekeeping).look();
            break;
        }
      }
      await app.stop();
      const started = app.executor.started.map(({ runId }) => runId).sort();
      const runs = await tables(app.db).selectFrom('runs').select(['id', 'plan_id', 'status', 'outcome', 'receipt_id']).execute();
      expect(runs.map(({ id }) => id).sort()).toEqual(started);
      expect(runs.every(({ status, outcome, receipt_id }) => status === 'ended' && outcome !== null && receipt_id !== null)).toBe(true);
      expect(new Set(runs.map(({ plan_id }) => plan_id)).size).toBe(runs.length);
      expect(new Set(runs.map(({ receipt_id }) => receipt_id)).size).toBe(runs.length);
      expect((await app.events()).filter((type) => type === 'receipt.written')).toHaveLength(runs.length);
      await app.close();
    }),
    { numRuns: 25 },
  );
}, 120_000);
