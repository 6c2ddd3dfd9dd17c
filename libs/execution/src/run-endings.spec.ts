import { EventFeed } from '#platform';
import { Receipts } from '#receipts';
import { bootExecution, type ExecutionApp } from '../../../test/support/execution.js';
import { the } from '../../../test/support/plans.js';
import { Claims } from './claims.js';
import { LiveRuns } from './live-runs.js';
import { Planner } from './planner.js';
import { Runs } from './runs.js';

describe('an end that cannot be written', () => {
  let app: ExecutionApp;
  beforeEach(async () => {
    app = await bootExecution();
    app.executor.holds = true;
  });
  afterEach(() => app.close());

  /** The disk is full from now on, for so many writes. */
  function fillDisk(writes: number): { failed: number } {
    const feed = app.get(EventFeed);
    const write = feed.write.bind(feed);
    const count = { failed: 0 };
    feed.write = (work) => {
      if (count.failed >= writes) return write(work);
      count.failed += 1;
      return Promise.reject(new Error('the disk is full'));
    };
    return count;
  }
  const begin = async () => {
    const { id } = await app.get(Planner).plan({ principal: app.agent, request: { kind: 'command', argv: ['ls'] } });
    return app.get(Claims).claim(app.agent, id);
  };

  it('is tried until it is durable, and nobody hears of it before', async () => {
    const live = await begin();
    const runId = live.started.run.id;
    const disk = fillDisk(3);
    app.executor.emit({ type: 'output', runId, stream: 'stdout', text: 'kept\n', at: 1 });
    app.executor.end(runId, { stdout: 'kept\n' });
    const early = await Promise.race([live.ended, new Promise((resolve) => setTimeout(() => resolve('nobody heard'), 60))]);
    expect(early).toBe('nobody heard');
    const run = await live.ended;
    expect(disk.failed).toBe(3);
    expect(run).toMatchObject({ status: 'ended', outcome: 'succeeded' });
    expect(await app.get(Receipts).find(the(run.receiptId))).toMatchObject({ receipt: { stdout: 'kept\n' } });
    expect(await app.get(Runs).output(app.agent, runId, 0, 10)).toMatchObject({ items: [{ seq: 1, text: 'kept\n' }], ended: true });
  });

  it('keeps live output that could not be stored for later, in order', async () => {
    const live = await begin();
    const runId = live.started.run.id;
    fillDisk(2);
    for (const text of ['a', 'b', 'c']) {
      app.executor.emit({ type: 'output', runId, stream: 'stdout', text, at: 1 });
      await new Promise((resolve) => setTimeout(resolve, 130));
    }
    app.executor.end(runId);
    await live.ended;
    const { items } = await app.get(Runs).output(app.agent, runId, 0, 10);
    expect(items.map(({ text }) => text).join('')).toBe('abc');
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1));
  });

  it('is left to the next start when the server must go', async () => {
    const live = await begin();
    fillDisk(Number.MAX_SAFE_INTEGER);
    app.get(LiveRuns).giveUp();
    app.executor.end(live.started.run.id);
    await expect(live.ended).rejects.toThrow('the disk is full');
    expect(await app.get(Runs).get(app.agent, live.started.run.id)).toMatchObject({ outcome: null, receiptId: null });
  });
});
