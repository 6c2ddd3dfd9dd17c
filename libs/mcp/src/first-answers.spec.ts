import { setTimeout as pause } from 'node:timers/promises';
import type { PrincipalId } from '#contracts';
import { AppError, Clock, ScheduledWork, type Database } from '#platform';
import { engines } from '../../../test/support/engines.js';
import { verifies } from '../../../test/support/verifies.js';
import { KyselyRequestRepository } from './adapters/kysely-request.repository.js';
import { mcpMigrations } from './adapters/mcp.migrations.js';
import { FirstAnswers, type Ended } from './first-answers.js';
import type { RequestKey } from './ports.js';

class MovedClock extends Clock {
  at = 1_000_000;
  override now(): number {
    return this.at;
  }

  override steady(): number {
    return this.at;
  }
}

const key = (requestId = 'r1', principal = 'alice'): RequestKey => ({
  principal: principal as PrincipalId,
  tool: 'terminal_plan',
  requestId,
});

describe.each(engines)('first answers on %s', (_name, open) => {
  let db: Database;
  let requests: KyselyRequestRepository;
  let clock: MovedClock;
  let scheduled: ScheduledWork;

  beforeEach(async () => {
    db = await open(mcpMigrations);
    requests = new KyselyRequestRepository(db);
    clock = new MovedClock();
    scheduled = new ScheduledWork();
  });
  afterEach(async () => {
    await scheduled.onModuleDestroy();
    await db.destroy();
  });

  /** Another process on the same database. */
  const aProcess = () => new FirstAnswers(requests, clock, scheduled);
  const keep = (answer: string) => () => Promise.resolve({ answer, keep: true });
  const once = (
    process: FirstAnswers,
    work: () => Promise<Ended<string>>,
    changes: { key?: RequestKey; digest?: string; signal?: AbortSignal } = {},
  ) => process.once({ key: key(), digest: 'd1', signal: new AbortController().signal, work, ...changes });

  verifies('mcp:first-answer', 'in several processes', async () => {
    const processes = [aProcess(), aProcess(), aProcess()];
    let runs = 0;
    const work = async (): Promise<Ended<string>> => {
      await pause(50);
      runs += 1;
      return { answer: `run ${runs}`, keep: true };
    };
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => once(processes[index % 3] ?? aProcess(), work)));
    expect(new Set(answers)).toEqual(new Set(['run 1']));
    expect(runs).toBe(1);
  });

  it('gives the first answer again, also after a restart', async () => {
    await once(aProcess(), keep('first'));
    expect(await once(aProcess(), keep('second'))).toBe('first');
  });

  it('refuses another call under the same id, at once', async () => {
    const slow = once(aProcess(), () => pause(100, { answer: 'first', keep: true }));
    await pause(20);
    await expect(once(aProcess(), keep('second'), { digest: 'd2' })).rejects.toMatchObject({ code: 'REQUEST_ID_CONFLICT' });
    expect(await slow).toBe('first');
  });

  it('keeps callers and tools apart', async () => {
    await once(aProcess(), keep('first'));
    expect(await once(aProcess(), keep('other caller'), { key: key('r1', 'bob') })).toBe('other caller');
    expect(await once(aProcess(), keep('other tool'), { key: { ...key(), tool: 'terminal_execute' } })).toBe('other tool');
  });

  it('forgets what is not to be kept, and what failed', async () => {
    expect(await once(aProcess(), () => Promise.resolve({ answer: 'not yet', keep: false }))).toBe('not yet');
    await expect(once(aProcess(), () => Promise.reject(new AppError('PLAN_NOT_APPROVED', 'No')))).rejects.toThrow('No');
    expect(await once(aProcess(), keep('now'))).toBe('now');
  });

  it('takes over from a process that died, and from no other', async () => {
    const claim = { key: key(), digest: 'd1', worker: 'dead', now: clock.now(), leaseUntil: clock.now() + 30_000 };
    expect(await requests.claim(claim)).toEqual({ kind: 'mine' });
    expect(await requests.claim({ ...claim, worker: 'other' })).toEqual({ kind: 'working' });
    await requests.renew('dead', clock.now() + 60_000);
    clock.at += 45_000;
    expect(await requests.claim({ ...claim, worker: 'other', now: clock.now() })).toEqual({ kind: 'working' });
    clock.at += 30_000;
    const now = clock.now();
    const takers = ['a', 'b', 'c'].map((worker) => requests.claim({ ...claim, worker, now, leaseUntil: now + 30_000 }));
    expect((await Promise.all(takers)).filter(({ kind }) => kind === 'mine')).toHaveLength(1);
    await requests.answer(key(), 'dead', '"too late"');
    expect(await requests.claim({ ...claim, worker: 'd', now })).toEqual({ kind: 'working' });
  });

  it('never changes an answer', async () => {
    await once(aProcess(), keep('first'));
    await requests.answer(key(), 'any', '"second"');
    await requests.release(key(), 'any');
    await requests.renew('any', clock.now() + 1);
    expect(await once(aProcess(), keep('third'))).toBe('first');
  });

  it('stops waiting when the waiting call is cancelled', async () => {
    await requests.claim({ key: key(), digest: 'd1', worker: 'elsewhere', now: clock.now(), leaseUntil: clock.now() + 30_000 });
    const abort = new AbortController();
    const waiting = once(aProcess(), keep('never'), { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toThrow();
  });

  it('forgets old requests', async () => {
    await once(aProcess(), keep('first'));
    await requests.forget(clock.now());
    expect(await once(aProcess(), keep('second'))).toBe('first');
    await requests.forget(clock.now() + 1);
    expect(await once(aProcess(), keep('third'))).toBe('third');
  });
});
