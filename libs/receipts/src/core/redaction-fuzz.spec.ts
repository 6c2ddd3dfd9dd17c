import fc from 'fast-check';
import { Redactor } from './redaction.js';

const KIB = 1_024;
/** Processor time for one text. Ordinary text of this size needs about one millisecond. */
const MOST_MS = 250;
const SECRETS = [
  'swordfish-42',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
  Array.from({ length: 200 }, (_, index) => `k${String(index)}.`).join(''),
];
const redactor = new Redactor(SECRETS);

/** Parts that patterns look at, in any order and number: what makes a pattern go back is a text that almost fits, again and again. */
const parts = fc.oneof(
  fc.constantFrom(
    'password',
    'TOKEN',
    'secret',
    'api_key',
    'PWD',
    'authorization',
    'bearer',
    '://',
    'eyJ',
    'sk-',
    'ghp_',
    'AKIA',
    'xoxb-',
    'npm_',
  ),
  fc.constantFrom('=', ':', '"', "'", '\\"', '`', ' ', '\t', '--', '-', '_', '.', '/', '@', '$', '${', '(', '[', '\n', '\r\n', '=>'),
  fc.constantFrom(
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    '-----BEGIN ',
    '-----',
    '[REDACTED:',
    '\u001b[',
    '\u001b]',
    '\0',
  ),
  fc.constantFrom('A'.repeat(40), 'z9'.repeat(30), 'a'.repeat(31), SECRETS[2]?.slice(0, -1) ?? '', 'ü', '😀', '\ud800'),
  fc.string({ maxLength: 6 }),
);

function grown(some: readonly string[], units: number): string {
  const text = some.join('') || ' ';
  return text.repeat(Math.ceil(units / text.length)).slice(0, units);
}

function cpuMs(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

describe('Redactor, whatever the text is made of', () => {
  it('takes time in step with the length: no text makes it go back again and again', () => {
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), (some) => {
        const text = grown(some, 64 * KIB);
        // a first time over the bound may be a moment in which the machine had no time for us
        const isSlow = [1, 2, 3].every(() => cpuMs(() => redactor.redact(text)) > MOST_MS);
        expect(isSlow ? some : []).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  it('hides a known value wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 12 }),
        fc.constantFrom(...SECRETS),
        fc.array(parts, { maxLength: 12 }),
        (before, secret, after) => {
          expect(redactor.redact([...before, secret, ...after].join('')).text.includes(secret)).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives the same text and count however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(parts, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 12 }),
        (some, kib, cuts) => {
          const text = grown(some, kib * KIB);
          const stream = redactor.stream();
          const out: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const end = at + (cuts[turn % cuts.length] ?? 1);
            out.push(stream.push(text.slice(at, end)));
            at = end;
          }
          out.push(stream.flush());
          const whole = redactor.redact(text);
          expect([out.join(''), stream.count]).toEqual([whole.text, whole.count]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
