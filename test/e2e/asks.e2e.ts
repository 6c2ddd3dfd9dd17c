import { jest } from '@jest/globals';
import { connect } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import type { AppEvent, Ask, Page, Plan, ReceiptSummary, Snapshot } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { databases, type ProductDatabase } from '../support/engines.js';
import { EventReader } from '../support/event-source.js';
import { call, execute, PASSWORD, pause, person, plan, refOf, vote, type PlanAnswer } from '../support/flow.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(90_000);

describe.each(databases)('asks on %s', (engine, open) => {
  let database: ProductDatabase;
  let api: Booted;
  let agent: Client;
  let owner: ConsoleClient;
  let grace: ConsoleClient;
  /** Shown at the first start only. */
  let tokenOfAgent: string;

  beforeAll(async () => {
    database = await open();
    api = await boot({ env: database.env, keep: true });
    tokenOfAgent = api.agentToken;
    agent = await api.mcp();
    owner = await api.owner();
    grace = await person(api, owner, 'Grace', ['viewer', 'approver']);
  });
  afterAll(async () => {
    await api.close();
    await database.remove();
  });

  const planNow = async ({ plan_id }: PlanAnswer): Promise<Plan> => (await owner.get(`/api/plans/${plan_id}`)) as Plan;
  const askNow = async ({ ask_id }: PlanAnswer): Promise<Ask> => (await owner.get(`/api/asks/${ask_id}`)) as Ask;
  const isOpenFor = async (who: ConsoleClient, { ask_id }: PlanAnswer): Promise<boolean> =>
    ((await who.get('/api/asks?state=open')) as Snapshot<Ask>).items.some(({ id }) => id === ask_id);

  verifies('ask:one-winner', engine, async () => {
    let close = 0;
    for (let round = 0; close < 5 && round < 50; round += 1) {
      const planned = await plan(agent, ['touch', `race-${engine}-${round}`]);
      const { answers, apartMs } = await atOnce(planned, [owner, grace]);
      if (apartMs < 5) close += 1;
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const won = answers.find(({ status }) => status === 200)?.body as Ask;
      const lost = answers.find(({ status }) => status === 409)?.body as { error: { code: string; details: Record<string, unknown> } };
      const [first] = won.votes;
      expect(won.votes).toHaveLength(1);
      expect(lost.error).toMatchObject({
        code: 'ASK_ALREADY_RESOLVED',
        details: { by: first?.byName, at: won.resolvedAt, answer: 'approve', status: 'approved' },
      });
      expect(await askNow(planned)).toMatchObject({ status: 'approved', votes: [{ byName: first?.byName }] });
      const { evidence } = await execute(agent, planned);
      expect(evidence?.approvals).toMatchObject([{ name: first?.byName, answer: 'approve' }]);
    }
    expect(close).toBe(5);
  });

  verifies('ask:one-winner', `${engine}, a yes against a no`, async () => {
    const planned = await plan(agent, ['touch', `yes-or-no-${engine}`]);
    const { answers } = await atOnce(planned, [owner, grace], ['approve', 'deny']);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect((await planNow(planned)).status).toBe(won === 0 ? 'approved' : 'rejected');
    expect((await askNow(planned)).votes).toHaveLength(1);
  });

  verifies('run:once', engine, async () => {
    const planned = await plan(agent, ['mkdir', `once-${engine}`]); // a second run would fail
    await vote(owner, planned);
    const others = await Promise.all(Array.from({ length: 3 }, () => api.mcp()));
    const started = await Promise.all([
      ...Array.from({ length: 16 }, (_, index) => execute(others[index % 3] ?? agent, planned)),
      ...Array.from({ length: 4 }, async () => {
        const answer = await owner.request('POST', `/api/plans/${planned.plan_id}/execute`, {});
        return (await answer.json()) as { error?: { code: string }; status?: string };
      }),
    ]);
    const refused = started.flatMap(({ error }) => (error ? [error.code] : []));
    expect(refused).toHaveLength(19);
    expect(refused.filter((code) => code !== 'PLAN_ALREADY_RUNNING' && code !== 'PLAN_ALREADY_RUN')).toEqual([]);
    expect(await call(agent, 'terminal_wait', refOf(planned))).toMatchObject({ receipt: { status: 'succeeded' } });
    const { items } = (await owner.get('/api/receipts?limit=200')) as Page<ReceiptSummary>;
    expect(items.filter(({ kind, command }) => kind === 'run' && command.includes(`once-${engine}`))).toHaveLength(1);
  });

  verifies('invariant:10', `${engine}, across a restart, on two consoles and an MCP client`, async () => {
    const planned = await plan(agent, ['touch', `restart-${engine}`]);
    const { dataDir } = api;
    await api.close();
    const again = await boot({ env: database.env, dataDir, keep: true });
    try {
      const [one, two] = [new ConsoleClient(again.url), new ConsoleClient(again.url)];
      await one.login('owner', 'correct horse battery');
      await two.login('Grace', PASSWORD);
      const waiting = await again.mcp({ token: tokenOfAgent });
      expect([await isOpenFor(one, planned), await isOpenFor(two, planned)]).toEqual([true, true]);
      expect(await execute(waiting, planned)).toMatchObject({ status: 'pending_approval', ask_id: planned.ask_id });
      const told = call(waiting, 'terminal_wait', refOf(planned));
      await vote(two, planned);
      expect(await told).toMatchObject({ status: 'approved' });
      expect([await isOpenFor(one, planned), await isOpenFor(two, planned)]).toEqual([false, false]);
      expect(await one.get(`/api/asks/${planned.ask_id}`)).toMatchObject({ status: 'approved', votes: [{ byName: 'Grace' }] });
      expect(await execute(waiting, planned)).toMatchObject({ receipt: { status: 'succeeded' } });
    } finally {
      await again.close();
      api = await boot({ env: database.env, dataDir, keep: true });
      agent = await api.mcp({ token: tokenOfAgent });
      owner = new ConsoleClient(api.url);
      await owner.login('owner', 'correct horse battery');
      grace = new ConsoleClient(api.url);
      await grace.login('Grace', PASSWORD);
    }
  });

  verifies('invariant:10', `${engine}, whoever stops looking has decided nothing`, async () => {
    const planned = await plan(agent, ['touch', `left-${engine}`]);
    const watching = await EventReader.open(`${api.url}/api/events`, { authorization: `Bearer ${tokenOfAgent}` });
    const leaving = new AbortController();
    const wait = agent.callTool({ name: 'terminal_wait', arguments: refOf(planned) }, { signal: leaving.signal }).catch(() => 'left');
    const openingPage = agent.callTool({ name: 'terminal_execute', arguments: refOf(planned) });
    await openingPage;
    await pause(100);
    leaving.abort();
    await watching.close();
    expect(await wait).toBe('left');
    await owner.post('/api/auth/logout');
    await pause(200);
    owner = new ConsoleClient(api.url);
    await owner.login('owner', 'correct horse battery');
    expect(await askNow(planned)).toMatchObject({ status: 'open', votes: [] });
    expect((await planNow(planned)).status).toBe('awaiting_approval');
    await vote(grace, planned);
    expect((await planNow(planned)).status).toBe('approved');
  });

  verifies('invariant:12', `${engine}, what is told has happened`, async () => {
    const headers = { authorization: `Bearer ${tokenOfAgent}` };
    const events = await EventReader.open<AppEvent>(`${api.url}/api/events`, headers);
    const wrong: string[] = [];
    const checked = (async () => {
      for (let next = 0, ended = false; !ended;) {
        const frame = events.frames[next];
        if (!frame) {
          await pause(1);
          continue;
        }
        next += 1;
        ended = frame.data.type === 'run.ended';
        wrong.push(...(await contradictions(frame.data)));
      }
    })();
    const planned = await plan(agent, ['touch', `told-${engine}`]);
    await vote(owner, planned);
    await execute(agent, planned);
    await checked;
    expect(wrong).toEqual([]);
    const types = events.frames.map(({ data }) => data.type);
    for (const type of [
      'plan.created',
      'ask.opened',
      'ask.voted',
      'ask.closed',
      'plan.moved',
      'run.started',
      'receipt.written',
      'run.ended',
    ])
      expect(types).toContain(type);
    expect(events.frames.map(({ id }) => id)).toEqual(events.frames.map(({ data }) => data.seq));
    await events.close();
  });

  /** What an event says and the state does not bear out. Later states are as good: a watcher may be late, never early. */
  async function contradictions(event: AppEvent): Promise<string[]> {
    const order = ['awaiting_approval', 'approved', 'running', 'succeeded'];
    const planOf = async (id: string): Promise<Plan> => (await owner.get(`/api/plans/${id}`)) as Plan;
    const unless = (isBorneOut: boolean): string[] => (isBorneOut ? [] : [JSON.stringify(event)]);
    const isReached = (now: string, told: string): string[] => unless(order.indexOf(now) >= order.indexOf(told));
    if (event.type === 'plan.created') return isReached((await planOf(event.plan.id)).status, event.plan.status);
    if (event.type === 'plan.moved') return isReached((await planOf(event.planId)).status, event.status);
    if (event.type === 'ask.closed') return unless(((await owner.get(`/api/asks/${event.askId}`)) as Ask).status === event.status);
    if (event.type === 'receipt.written') return unless((await owner.request('GET', `/api/receipts/${event.receipt.id}`)).ok);
    if (event.type !== 'run.ended') return [];
    const { status, receiptId } = await planOf(event.planId);
    return unless(status === event.outcome && receiptId === event.receiptId);
  }

  verifies('invariant:12', `${engine}, a watcher that takes nothing holds nothing up`, async () => {
    const headers = `Host: ${new URL(api.url).host}\r\nAuthorization: Bearer ${tokenOfAgent}\r\n\r\n`;
    const stuck = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
        socket.on('error', () => undefined); // the server may cut it
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.write(`GET /api/events HTTP/1.1\r\n${headers}`);
        await new Promise((resolve) => socket.once('data', resolve));
        socket.pause();
        return socket;
      }),
    );
    const since = performance.now();
    const planned = await plan(agent, ['touch', `watched-${engine}`]);
    await vote(owner, planned);
    expect(await execute(agent, planned)).toMatchObject({ receipt: { status: 'succeeded' } });
    expect(performance.now() - since).toBeLessThan(10_000);
    for (const socket of stuck) socket.destroy();
  });

  /** Votes of two people, each on a socket of its own, and how far apart they left this process. */
  async function atOnce(
    { ask_id, digest }: PlanAnswer,
    voters: readonly ConsoleClient[],
    answers: readonly string[] = ['approve', 'approve'],
  ): Promise<{ answers: { status: number; body: unknown }[]; apartMs: number }> {
    const sentAt: number[] = [];
    const responses = voters.map((voter, index) => {
      sentAt.push(performance.now());
      return voter.request('POST', `/api/asks/${ask_id}/votes`, { answer: answers[index], digest });
    });
    const given = await Promise.all(
      responses.map(async (sent) => {
        const response = await sent;
        return { status: response.status, body: await response.json() };
      }),
    );
    return { answers: given, apartMs: Math.max(...sentAt) - Math.min(...sentAt) };
  }
});
