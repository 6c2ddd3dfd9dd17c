import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan, Principal, PrincipalId, ReceiptId, RunId } from '#contracts';
import { newId } from '#platform';
import { Receipts } from '#receipts';
import { engines } from '../../../test/support/engines.js';
import { bootExecution, type ExecutionApp } from '../../../test/support/execution.js';
import { aPrincipal } from '../../../test/support/plans.js';
import { Claims } from './claims.js';
import { Planner } from './planner.js';
import { RunSlots } from './run-slots.js';
import { Runs } from './runs.js';
import { Sessions } from './sessions.js';
import { Workspaces } from './workspaces.js';

describe.each(engines)('runs that wait for a free place on %s', (_name, open) => {
  let app: ExecutionApp;
  beforeEach(async () => {
    app = await bootExecution({ open });
    app.executor.holds = true;
    const slots = app.get(RunSlots);
    while (slots.take());
    slots.release(); // one place is left
  });
  afterEach(() => app.close());

  const someone = () => aPrincipal({ id: newId<PrincipalId>() });
  /** A plan in a session of its own, claimed. */
  const start = async (principal: Principal, argv: readonly string[] = ['ls']) => {
    const { id: sessionId } = await app.get(Sessions).open(principal);
    const plan: Plan = await app.get(Planner).plan({ principal, sessionId, request: { kind: 'command', argv } });
    return app.get(Claims).claim(principal, plan.id);
  };
  const statusOf = async (id: RunId) => (await app.get(Runs).get(app.person, id)).status;
  const started = () => app.executor.started.map(({ runId }) => runId);
  const endNext = async () => {
    const [id] = app.executor.active;
    if (id) app.executor.end(id);
    await new Promise((resolve) => setTimeout(resolve, 100));
  };

  it('take turns between principals, say that they wait, and start nothing before', async () => {
    const [ada, bob] = [someone(), someone()];
    const lives = [];
    for (const who of [ada, ada, ada, bob]) lives.push(await start(who));
    const ids = lives.map(({ started: { run } }) => run.id);
    expect(lives.map(({ started: { run } }) => run.status)).toEqual(['started', 'queued', 'queued', 'queued']);
    expect(ids.map((id) => app.get(Runs).ahead(id))).toEqual([null, 0, 2, 1]);
    expect(started()).toEqual([ids[0]]);
    for (let turn = 0; turn < 4; turn += 1) await endNext();
    expect(started()).toEqual([ids[0], ids[1], ids[3], ids[2]]);
    expect(await Promise.all(lives.map(async ({ ended }) => (await ended).outcome))).toEqual(Array(4).fill('succeeded'));
    expect((await app.events()).filter((type) => type === 'run.moved')).toHaveLength(3);
  });

  it('can be taken out of the line, with a receipt, and nothing of them ever runs', async () => {
    const [first, second, third] = [await start(app.agent), await start(app.agent), await start(app.agent)];
    const cancelled = await app.get(Runs).cancel(app.agent, second.started.run.id);
    expect(cancelled).toMatchObject({ status: 'ended', outcome: 'cancelled' });
    expect(await app.get(Receipts).find(cancelled.receiptId as ReceiptId)).toMatchObject({
      receipt: { status: 'cancelled', exit_code: null },
      evidence: {
        outcome: 'cancelled',
        details: { ended_by: 'caller', failure: expect.stringContaining('Nothing was started') as unknown },
      },
    });
    await endNext();
    expect(started()).toEqual([first.started.run.id, third.started.run.id]);
    expect(await statusOf(third.started.run.id)).not.toBe('queued');
  });

  it('are looked at again when their turn comes', async () => {
    await start(app.agent);
    const waiting = await start(app.agent);
    renameSync(app.workspace.root, join(app.dataDir, 'elsewhere'));
    await endNext();
    expect(await waiting.ended).toMatchObject({ outcome: 'failed', exitCode: null });
    expect(started()).toHaveLength(1);
    renameSync(join(app.dataDir, 'elsewhere'), app.workspace.root);
    await start(app.agent); // the place is free again
    expect(started()).toHaveLength(2);
  });

  it('do not start in a workspace that is stricter by now', async () => {
    await app.get(Workspaces).update(app.workspace.id, { by: app.person, mode: 'trusted' });
    await start(app.agent);
    const waiting = await start(app.agent, ['touch', 'made.txt']);
    await app.get(Workspaces).update(app.workspace.id, { by: app.person, mode: 'inspect' });
    await endNext();
    const { receiptId, outcome } = await waiting.ended;
    expect(outcome).toBe('failed');
    expect(await app.get(Receipts).find(receiptId as ReceiptId)).toMatchObject({
      evidence: { details: { failure: expect.stringContaining('mode') as unknown } },
    });
    expect(started()).toHaveLength(1);
  });

  it('end as interrupted when the server stops', async () => {
    const lives = [await start(app.agent), await start(app.agent)];
    await app.stop();
    expect(await Promise.all(lives.map(async ({ ended }) => (await ended).outcome))).toEqual(['interrupted', 'interrupted']);
    expect(started()).toHaveLength(1);
  });

  it('leave their place to the next one whatever becomes of them', async () => {
    app.executor.isAway = true;
    await Promise.all(Array.from({ length: 5 }, async () => (await start(app.agent)).ended));
    app.executor.isAway = false;
    expect((await start(app.agent)).started.run.status).toBe('started');
  });
});
