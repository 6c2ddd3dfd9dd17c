import type { Stage } from '#contracts';
import { byteCount, executables, oneLine, quoteWord, wordCount } from './argv-text.js';

const stage = (join: Stage['join'], argv: readonly string[], redirects: Stage['redirects'] = []): Stage => ({ join, argv, redirects });

describe('quoteWord', () => {
  it.each([
    ['--env=staging', '--env=staging'],
    ['', "''"],
    ['two words', "'two words'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(id)', "'$(id)'"],
    ['a\nb', String.raw`$'a\nb'`],
    ['inv\u202Egpj', String.raw`$'inv\u202Egpj'`],
    ['t\u{E0041}', String.raw`$'t\U000E0041'`],
    ["\u001B'x", String.raw`$'\u001B\'x'`],
  ])('%j becomes %s', (word, expected) => {
    expect(quoteWord(word)).toBe(expected);
  });
});

describe('oneLine', () => {
  it('joins stages with their operators and redirects', () => {
    const stages = [
      stage('first', ['rg', '-l', 'acct id']),
      stage('pipe', ['xargs', 'sed', '-i']),
      stage('and', ['npm', 'test'], [{ stream: 'stdout', path: '/w/out.txt', append: true }]),
      stage('then', ['true']),
    ];
    expect(oneLine(stages)).toBe("rg -l 'acct id' | xargs sed -i && npm test >> /w/out.txt; true");
    expect(wordCount(stages)).toBe(9);
    expect(byteCount(stages)).toBe(40);
  });
});

describe('executables', () => {
  it('finds where a wrapped command begins', () => {
    expect([...executables(['xargs', '-0', 'sed', '-i'], [['sed', '-i']])]).toEqual([0, 2]);
  });

  it('ignores a wrapped command that is not in the words', () => {
    expect([...executables(['xargs', 'sed'], [['rm', '-rf', '/']])]).toEqual([0]);
  });
});
