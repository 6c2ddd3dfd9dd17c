import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';
import { strictBase64 } from './primitives.js';

describe('canonicalJson', () => {
  it('writes what another implementation of RFC 8785 writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('sorts by UTF-16 units, as the example of the RFC', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}');
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], ['\ud800'], [{ '\udc00': 1 }], [undefined], [1n]])('has no form for %p', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

it('takes base64 only in its one form', () => {
  expect(strictBase64('AQI=')).toEqual(Buffer.from([1, 2]));
  for (const other of ['AQI', 'AQJ=', 'AQI=\n', 'A-I=', ' AQI=']) expect(strictBase64(other)).toBeUndefined();
});
