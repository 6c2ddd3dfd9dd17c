import { changedWords } from './changes-since.js';

describe('changedWords', () => {
  it.each([
    ['nothing', 'npm run migrate', 'npm run migrate', [], []],
    ['a changed word with what it was', 'npm run migrate --env staging', 'npm run migrate --env dev', [[4, 'dev']], []],
    ['an added word', 'rg -l -i acct', 'rg -l acct', [[2, null]], []],
    ['a removed word', 'rg -l acct', 'rg -l -i acct', [], ['-i']],
    [
      'another command altogether',
      'a b',
      'c d e',
      [
        [0, 'c'],
        [1, 'd'],
      ],
      ['e'],
    ],
  ] as const)('finds %s', (_title, now, before, words, removed) => {
    const changed = changedWords(now.split(' '), before.split(' '));
    expect([[...changed.words], changed.removed]).toEqual([words, removed]);
  });
});
