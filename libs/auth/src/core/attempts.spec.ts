import fc from 'fast-check';
import { giveBack, tryOnce, type Allowance, type Tries } from './attempts.js';

const allowance: Allowance = { free: 3, forgetMs: 60_000, firstWaitMs: 1_000, maxWaitMs: 8_000 };

/** Tries at these times; what each had to wait. */
function waits(times: readonly number[]): number[] {
  let tries: Tries | undefined;
  return times.map((now) => {
    const result = tryOnce(tries, allowance, now);
    tries = result.tries;
    return result.waitMs;
  });
}

describe('tries', () => {
  it('are free at first, then wait, twice as long each time', () => {
    expect(waits([0, 0, 0, 0])).toEqual([0, 0, 0, 1_000]);
    expect(waits([0, 0, 0, 1_000, 1_001, 3_000, 3_001])).toEqual([0, 0, 0, 0, 1_999, 0, 3_999]);
  });

  it('never wait longer than the limit, and are forgotten after a while', () => {
    expect(waits([0, 0, 0, 1_000, 3_000, 7_000, 15_000, 15_001])).toEqual([0, 0, 0, 0, 0, 0, 0, 7_999]);
    expect(waits([0, 0, 0, 60_000, 60_000])).toEqual([0, 0, 0, 0, 0]);
  });

  it('do not count when they were right', () => {
    const { tries } = tryOnce(undefined, allowance, 0);
    expect(giveBack(tries).count).toBe(0);
  });

  it('never let through more than the free ones at one moment, and few over time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 400 }), (gaps) => {
        let now = 0;
        const passed = waits(gaps.map((gap) => (now += gap))).filter((wait) => wait === 0).length;
        // 1 s, 2 s, 4 s, then 8 s each.
        expect(passed).toBeLessThanOrEqual(allowance.free + 3 + Math.ceil(now / 8_000) + 1);
      }),
    );
  });
});
