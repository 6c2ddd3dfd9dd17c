import { lineDiff } from './line-diff.js';

const drawn = (before: readonly string[], after: readonly string[]): readonly string[] =>
  lineDiff(`${before.join('\n')}\n`, after.join('\n')).map(
    ({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', skipped: '…' }[kind]}${text}`,
  );

describe('lineDiff', () => {
  it.each([
    ['nothing in equal texts', ['a', 'b'], ['a', 'b'], []],
    ['an added line', ['a', 'c'], ['a', 'b', 'c'], [' a', '+b', ' c']],
    ['a removed line', ['a', 'b', 'c'], ['a', 'c'], [' a', '-b', ' c']],
    ['a changed line', ['a', 'b', 'c'], ['a', 'x', 'c'], [' a', '-b', '+x', ' c']],
    ['a text from nothing', [], ['a'], ['-', '+a']],
    [
      'what stands far away only as a number',
      ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      ['1', '2', '3', '4', '5', '6', '7', '8', 'x'],
      ['…5', ' 6', ' 7', ' 8', '-9', '+x'],
    ],
  ] as const)('shows %s', (_title, before, after, expected) => {
    expect(drawn(before, after)).toEqual(expected);
  });

  it('stays quick for texts that share nothing', () => {
    const lines = (start: number): string => Array.from({ length: 5_000 }, (_, at) => String(start + at)).join('\n');
    expect(lineDiff(lines(0), lines(9_000)).length).toBe(10_000);
  });
});
