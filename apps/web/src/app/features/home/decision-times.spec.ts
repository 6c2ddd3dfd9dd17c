import type { Ask } from '#contracts';
import { decisionTimes } from './decision-times.js';

const ask = (waitMs: number, status = 'approved'): Ask => ({ status, createdAt: 1_000, resolvedAt: 1_000 + waitMs }) as Ask;

describe('decision times', () => {
  it.each([
    [0, 0],
    [59_999, 0],
    [60_000, 1],
    [299_999, 1],
    [900_000, 3],
    [3_600_000, 4],
  ])('a wait of %d ms stands in step %d', (wait, step) => {
    expect(decisionTimes([ask(wait)]).counts.indexOf(1)).toBe(step);
  });

  it('counts every decision once and nothing that nobody decided', () => {
    const { counts, medianMs } = decisionTimes([ask(10), ask(20), ask(7_200_000), ask(5, 'expired'), ask(5, 'host_gone')]);
    expect(counts).toEqual([2, 0, 0, 0, 1]);
    expect(medianMs).toBe(20);
  });

  it('knows no median without decisions', () => {
    expect(decisionTimes([]).medianMs).toBeUndefined();
  });
});
