import * as fc from 'fast-check';
import { FakeLook } from '../../../../../test/support/fake-look.js';
import { expandGlob, globBudget } from './glob.js';
import type { PatternPart } from './words.js';

const where = { cwd: '/ws', root: '/ws' };

/** A pattern of one segment, cut as the reader of words cuts it. */
function partsOf(pattern: string): readonly PatternPart[] {
  return Array.from(pattern).map((text) => (text === '*' || text === '?' ? { glob: text } : { literal: text }));
}

function expand(pattern: string, names: readonly string[]): unknown {
  const look = new FakeLook({ '/ws': null, ...Object.fromEntries(names.map((name) => [`/ws/${name}`, ''])) });
  const expanded = expandGlob(partsOf(pattern), where, look, globBudget());
  return expanded.ok ? expanded.words : expanded.why;
}

describe('patterns', () => {
  it('match what a regular expression of the same meaning matches', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, name, (pattern, file) => {
        fc.pre(/[*?]/.test(pattern));
        const isMatch = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su').test(file);
        expect(expand(pattern, [file])).toEqual([isMatch ? file : pattern]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('answer at once on names that are made to be tried again and again', () => {
    const pattern = `${'*a'.repeat(40)}*b`;
    expect(expand(pattern, ['a'.repeat(250)])).toEqual([pattern]);
  });

  it('share one budget of names among all patterns of a command', () => {
    const look = new FakeLook({ '/ws': null, '/ws/a': '', '/ws/b': '', '/ws/c': '' });
    const budget = { names: 5 };
    expect(expandGlob(partsOf('x*'), where, look, budget).ok).toBe(true);
    expect(expandGlob(partsOf('x*'), where, look, budget)).toMatchObject({ ok: false, limit: true });
  });
});
