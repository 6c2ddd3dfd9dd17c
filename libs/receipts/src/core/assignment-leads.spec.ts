import fc from 'fast-check';
import { flagLead, isInMarker, namedLead, NONE } from './assignment-leads.js';

/** The same rules as patterns: slower, and easy to read. The walks must agree with them on every text. */
const NAMED = /(?:[_-][A-Za-z0-9_-]{0,24}|[A-Z][A-Za-z0-9]{0,24})?\\?["'`]?\]?[ \t]{0,4}(?:=>|:=|={1,3}|:)[ \t]{0,4}(?:\\?(["'`]))?/y;
const FLAG = /[A-Za-z0-9_-]{0,24}[ \t]{1,4}(["'`])?(?!-)/y;
const FLAG_NAME = /(?:^|[\s"'])--?[A-Za-z0-9_-]{0,24}$/;
const MARKER = /\[REDACTED:[a-z-]{0,28}$/;

const after = fc
  .array(
    fc.oneof(
      fc.constantFrom('=', ':', '=>', ':=', ' ', '\t', '"', "'", '`', '\\', ']', '_', '-', 'A', 'b', '7', '\n', 'ü'),
      fc.constantFrom('a'.repeat(23), 'Ab'.repeat(13), '_x'.repeat(12), '    ', '     '),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const before = fc
  .array(fc.constantFrom(' ', '\n', '"', "'", '-', '--', 'a', 'db-', '_', '\u00a0', 'ü', '=', 'x'.repeat(23), '[REDACTED:', 'api-'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

describe('namedLead', () => {
  it('finds what its pattern finds', () => {
    fc.assert(
      fc.property(after, (text) => {
        const found = matchAt(NAMED, `x${text}`, 1);
        const expected = found && {
          end: 1 + found[0].length,
          quote: found[1]?.charCodeAt(0) ?? NONE,
          isTight: found[1] === undefined && /^[^ \t:]*=$/.test(found[0]),
        };
        expect(namedLead(`x${text}`, 1) ?? null).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('flagLead', () => {
  it('finds what its patterns find, as far as a value can follow', () => {
    fc.assert(
      fc.property(before, after, (name, text) => {
        const whole = `${name}token${text}`;
        const found = matchAt(FLAG, whole, name.length + 5);
        const isFlag = FLAG_NAME.test(whole.slice(Math.max(0, name.length - 27), name.length));
        const next = found && isFlag ? whole.charAt(name.length + 5 + found[0].length) : '';
        const canFollow = next !== '' && !/[\s"'`]/.test(next);
        const lead = flagLead(whole, name.length, name.length + 5);
        if (canFollow) expect(lead).toMatchObject({ end: name.length + 5 + (found?.[0].length ?? 0) });
        else if (!found || !isFlag) expect(lead).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('isInMarker', () => {
  it('knows our own markers', () => {
    fc.assert(
      fc.property(before, (text) => {
        expect(isInMarker(`${text}token`, text.length)).toBe(MARKER.test(text.slice(-40)));
      }),
      { numRuns: 2_000 },
    );
  });
});
