import type { Plan, Stage } from '#contracts';
import { asSent } from './as-sent.js';

// Partial plan: the function reads only the body.
const plan = (command: string | null, ...argvs: readonly (readonly string[])[]): Plan => {
  const stages = argvs.map((argv, index): Stage => ({ join: index === 0 ? 'first' : 'pipe', argv, redirects: [] }));
  return { body: { command, stages } } as unknown as Plan;
};

describe('asSent', () => {
  it.each([
    ['argv was sent', plan(null, ['ls']), null],
    ['the words are the same', plan("rg 'two words' . | head -n 1", ['rg', 'two words', '.'], ['head', '-n', '1']), null],
    ['a glob was expanded', plan('rm *.log', ['rm', 'a.log', 'b.log']), 'rm *.log'],
    ['something else was sent', plan('ls\u202E', ['ls']), 'ls\u202E'],
  ])('%s', (_title, one, expected) => {
    expect(asSent(one)).toBe(expected);
  });
});
