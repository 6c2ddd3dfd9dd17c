import fc from 'fast-check';
import * as z from 'zod';
import { describeIssues, toInputIssues } from './input-issues.js';

const Input = z
  .strictObject({
    argv: z.array(z.string().max(5)).min(1).max(2),
    mode: z.enum(['inspect', 'confirm']).optional(),
    id: z.uuid().optional(),
    limit: z.int().max(9).optional(),
  })
  .refine(({ mode }) => mode !== 'confirm', { error: 'cannot be confirmed', path: ['mode'] });

function issuesOf(value: unknown) {
  const { error } = Input.safeParse(value);
  return error ? toInputIssues(error) : [];
}

describe('toInputIssues', () => {
  it.each([
    [{}, 'argv', 'is required'],
    [{ argv: 'ls' }, 'argv', 'must be an array'],
    [{ argv: [] }, 'argv', 'must be at least 1 items'],
    [{ argv: ['ls', '-l', 'x'] }, 'argv', 'must be at most 2 items'],
    [{ argv: ['ls', 7] }, 'argv.1', 'must be a string'],
    [{ argv: ['longer'] }, 'argv.0', 'must be at most 5 characters'],
    [{ argv: ['ls'], mode: 'secret' }, 'mode', 'must be one of inspect, confirm'],
    [{ argv: ['ls'], id: 'secret' }, 'id', 'must be a valid uuid'],
    [{ argv: ['ls'], limit: 10 }, 'limit', 'must be at most 9'],
    [{ argv: ['ls'], cwdd: '/' }, '', 'has no such fields: cwdd'],
    [{ argv: ['ls'], mode: 'confirm' }, 'mode', 'cannot be confirmed'],
  ])('explains %j', (value, path, rule) => {
    expect(issuesOf(value)).toEqual([{ path, rule }]);
  });

  it('names at most ten issues', () => {
    const { error } = z.array(z.string()).safeParse(Array(50).fill(1));
    expect(error && toInputIssues(error)).toHaveLength(10);
  });

  it('never repeats a value', () => {
    const secret = fc.string({ minLength: 12, maxLength: 40 }).map((text) => `s3cret ${text}`);
    fc.assert(
      fc.property(secret, (text) => {
        const issues = issuesOf({ argv: [text, text, { [text]: text }], mode: text, id: text, limit: text, [text]: text });
        return !describeIssues(issues).includes('s3cret') && issues.length > 0;
      }),
    );
  });
});
