import { jest } from '@jest/globals';
import type { Plan, Principal } from '#contracts';
import { NeedsInput, type ToolCall } from '#mcp';
import { Asks } from '#policy';
import { bootExecution, type ExecutionApp } from '../../../../test/support/execution.js';
import { aPrincipal, the } from '../../../../test/support/plans.js';
import { Planner } from '../planner.js';
import { Plans } from '../plans.js';
import { ApprovalLadder } from './approval-ladder.js';

describe('ApprovalLadder', () => {
  let app: ExecutionApp;
  let plan: Plan;
  beforeEach(async () => {
    app = await bootExecution();
    plan = await app.get(Planner).plan({ principal: app.agent, request: { kind: 'command', argv: ['rm', 'x'] } });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await app.close();
  });

  const climb = (change: Partial<ToolCall> = {}, of = plan) =>
    app.get(ApprovalLadder).climb(of, {
      principal: app.agent,
      signal: new AbortController().signal,
      can: { form: false, url: false },
      round: null,
      notifyResource: () => undefined,
      ...change,
    });
  const after = (rung: unknown, responses: Record<string, unknown> = {}): ToolCall['round'] => ({
    state: (rung as NeedsInput).state,
    responses,
  });
  const url = { form: true, url: true };
  const status = async () => (await app.get(Plans).get(app.agent, plan.id)).status;
  const pending = {
    status: 'pending_approval',
    plan_id: expect.any(String) as string,
    approval_url: expect.stringContaining('/asks/') as string,
  };

  it('says that the plan waits to a client that cannot be asked', async () => {
    expect(await climb()).toMatchObject(pending);
  });

  it('opens the console where the client can, and goes on when the person has decided', async () => {
    const first = await climb({ can: url });
    expect(first).toBeInstanceOf(NeedsInput);
    expect(JSON.stringify(first)).toContain(`/asks/${String(plan.askId)}`);
    const going = climb({ can: url, round: after(first, { url: { action: 'accept' } }) });
    setTimeout(() => void app.approve(plan), 50);
    expect(await going).toBeUndefined();
    expect(await status()).toBe('approved');
  });

  it.each(['decline', 'cancel', 'nonsense'])('takes a client that answers %s for one that has decided nothing', async (action) => {
    const first = await climb({ can: url });
    expect(await climb({ can: url, round: after(first, { url: { action } }) })).toMatchObject(pending);
    expect(await status()).toBe('awaiting_approval');
  });

  it('asks again in rounds, and gives up waiting after eight', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    let rung = await climb({ can: url });
    let rounds = 0;
    while (rung instanceof NeedsInput) {
      rounds += 1;
      const going = climb({ can: url, round: after(rung, rounds === 1 ? { url: { action: 'accept' } } : {}) });
      await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(25_000);
      rung = await going;
    }
    expect(rounds).toBe(8);
    expect(rung).toMatchObject(pending);
  });

  it('does not take the state of another plan', async () => {
    const other = await app.get(Planner).plan({ principal: app.agent, request: { kind: 'command', argv: ['rm', 'y'] } });
    const foreign = after(await climb({ can: url }, other), { url: { action: 'accept' } });
    expect(await climb({ round: foreign })).toMatchObject(pending);
  });

  describe('a form', () => {
    const low = () => ({ ...plan, decision: { ...plan.decision, risk: 'low' as const } });
    const decider: Principal = aPrincipal({ id: 'decider' as Principal['id'], name: 'host', scopes: ['approvals:decide', 'admin'] });
    const form = { form: true, url: false };

    it('is shown for low risk only, and only to a client whose caller may decide', async () => {
      expect(await climb({ can: form, principal: decider })).toMatchObject(pending);
      expect(await climb({ can: form }, low())).toMatchObject(pending);
      expect(await climb({ can: form, principal: decider }, low())).toBeInstanceOf(NeedsInput);
    });

    it.each([
      ['approve', 'approved'],
      ['deny', 'rejected'],
    ])('counts as a vote of the caller to %s', async (decision, expected) => {
      const first = await climb({ can: form, principal: decider }, low());
      const responses = { form: { action: 'accept', content: { decision } } };
      expect(await climb({ can: form, principal: decider, round: after(first, responses) }, low())).toBeUndefined();
      expect(await status()).toBe(expected);
      expect(await app.get(Asks).find(the(plan.askId))).toMatchObject({ votes: [{ byName: 'host', channel: 'mcp' }] });
    });

    it.each([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }, 'nonsense', undefined])(
      'answered with %j decides nothing',
      async (answer) => {
        const first = await climb({ can: form, principal: decider }, low());
        expect(await climb({ can: form, principal: decider, round: after(first, { form: answer }) }, low())).toMatchObject(pending);
        expect(await status()).toBe('awaiting_approval');
      },
    );
  });
});
