import type { Ask, Plan, Principal } from '#contracts';
import { NeedsInput, type ToolCall } from '#mcp';
import type { Asks } from '#policy';
import { TestClock } from '../../../../test/support/clock.js';
import { ApprovalLadder } from './approval-ladder.js';
import type { ConsoleLinks } from './console-links.js';

const PLAN = { id: '0192f0c1-0000-7000-8000-000000000001', sessionId: 's', askId: 'a', expiresAt: 9, decision: { risk: 'low' } } as Plan;

/** A ladder whose person never answers. */
function ladder({ shared = false } = {}) {
  const clock = new TestClock(1_000_000);
  const waited: number[] = [];
  const asks = {
    find: () => Promise.resolve({ id: 'a', status: 'open', title: 'Run', summary: 'ls' } as Ask),
    waitClosed: (_id: string, ms: number) => {
      waited.push(ms);
      clock.at += ms;
      return Promise.resolve({ status: 'open' } as Ask);
    },
  } as Partial<Asks> as Asks;
  const subject = new ApprovalLadder(
    asks,
    { toAsk: () => 'https://console.example/asks/a' } as Partial<ConsoleLinks> as ConsoleLinks,
    clock,
  );
  const call = (round: ToolCall['round']): ToolCall => ({
    principal: { id: 'p', scopes: [] as readonly string[] } as Principal,
    signal: new AbortController().signal,
    can: { form: true, url: true },
    round,
    notifyResource: () => undefined,
    ...(shared && { roundsShareRequest: true as const }),
  });
  return { subject, call, clock, waited };
}

/** Goes round after round, as a client does that has opened the page at once. */
async function climb({ subject, call }: ReturnType<typeof ladder>) {
  let rung = await subject.climb(PLAN, call(null));
  let rounds = 0;
  while (rung instanceof NeedsInput) {
    rounds += 1;
    rung = await subject.climb(PLAN, call({ state: rung.state, responses: rounds === 1 ? { url: { action: 'accept' } } : {} }));
  }
  return { rung, rounds };
}

describe('the rounds of one question', () => {
  it('are each shorter than clients wait', async () => {
    const here = ladder();
    expect(await climb(here)).toMatchObject({ rung: { status: 'pending_approval' }, rounds: 8 });
    expect(Math.max(...here.waited)).toBeLessThanOrEqual(50_000);
  });

  it('end within one minute in all where every round is part of one request', async () => {
    const here = ladder({ shared: true });
    const startedAt = here.clock.at;
    expect(await climb(here)).toMatchObject({ rung: { status: 'pending_approval' } });
    expect(here.clock.at - startedAt).toBeLessThanOrEqual(50_000);
  });

  it('do not wait at all for a page that was opened when the minute was nearly over', async () => {
    const here = ladder({ shared: true });
    const first = await here.subject.climb(PLAN, here.call(null));
    here.clock.at += 55_000;
    const state = first instanceof NeedsInput ? first.state : null;
    const rung = await here.subject.climb(PLAN, here.call({ state, responses: { url: { action: 'accept' } } }));
    expect(rung).toMatchObject({ status: 'pending_approval' });
    expect(here.waited).toEqual([0]);
  });
});
