import fc from 'fast-check';
import { recoveryCodeFrom, recoveryHash } from './recovery-codes.js';
import { base32, otpauthUrl, stepOf, stepOfCode, totpAt } from './totp.js';

const RFC = Buffer.from('12345678901234567890');
const STEP = 30_000;

describe('time-based codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %d s', (seconds, code) => {
    expect(totpAt(RFC, stepOf(seconds * 1_000))).toBe(code);
  });

  it('count one step early, in time and one step late, and not beyond', () => {
    const here = stepOf(1_000_000_000);
    const counts = [-2, -1, 0, 1, 2].map((off) => stepOfCode(RFC, totpAt(RFC, here + off), here * STEP, -1) === here + off);
    expect(counts).toEqual([false, true, true, true, false]);
    expect(stepOfCode(RFC, ` ${totpAt(RFC, here).slice(0, 3)} ${totpAt(RFC, here).slice(3)} `, here * STEP, -1)).toBe(here);
  });

  it('never count twice, and none before one that was used', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 1 }), { maxLength: 12 }), (offs) => {
        const here = 40_000_000;
        let used = -1;
        const taken: number[] = [];
        for (const off of offs) {
          const step = stepOfCode(RFC, totpAt(RFC, here + off), here * STEP, used);
          if (step === undefined) continue;
          taken.push(step);
          used = step;
        }
        expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
      }),
    );
  });

  it('are set up by a text that authenticators read', () => {
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
    expect(otpauthUrl(RFC, 'Ada L.')).toBe(
      'otpauth://totp/Countersign:Ada%20L.?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Countersign&algorithm=SHA1&digits=6&period=30',
    );
  });
});

describe('recovery codes', () => {
  it('are two groups that may be typed in any way, and belong to one person', () => {
    const code = recoveryCodeFrom(Buffer.from('1234567'));
    expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
    const key = Buffer.alloc(32, 1);
    expect(recoveryHash(key, 'ada', ` ${code.toUpperCase().replace('-', ' ')}`)).toBe(recoveryHash(key, 'ada', code));
    expect(recoveryHash(key, 'eve', code)).not.toBe(recoveryHash(key, 'ada', code));
  });
});
