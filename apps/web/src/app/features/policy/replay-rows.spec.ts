import type { ReplayChange } from '#contracts';
import { replayRows } from './replay-rows.js';

// Partial rows: grouping reads only the fields that stand here.
const change = (planId: string, command: string, kind: ReplayChange['change'], wouldBe = 'allow') =>
  ({ planId, command, change: kind, was: 'ask', wouldBe, rules: [] }) as unknown as ReplayChange;

describe('the rows of a replay', () => {
  it('stand together by command and change, looser first, then by how many', () => {
    const rows = replayRows([
      change('1', 'make', 'stricter', 'deny'),
      change('2', 'git push', 'looser'),
      change('3', 'npm test', 'looser'),
      change('4', 'npm test', 'looser'),
      change('5', 'npm test', 'stricter', 'deny'),
      change('6', 'ls', 'terms', 'ask'),
    ]);
    expect(rows.map((row) => [row.change, row.command, row.plans.length])).toEqual([
      ['looser', 'npm test', 2],
      ['looser', 'git push', 1],
      ['stricter', 'make', 1],
      ['stricter', 'npm test', 1],
      ['terms', 'ls', 1],
    ]);
  });
});
