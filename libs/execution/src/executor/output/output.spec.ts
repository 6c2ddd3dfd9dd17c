import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { Redactor } from '#receipts/core';
import { KeptText } from './kept-text.js';
import { LiveOutput } from './live-output.js';
import { StreamOutput } from './stream-output.js';
import { Utf8Stream } from './utf8-stream.js';

/** Bytes of which many are the start, the middle or a wrong continuation of a character. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => Buffer.from(text)),
      fc.constant(Buffer.from('\uFFFD')),
    ),
  )
  .map((parts) => Buffer.concat(parts));
const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 });

function pieces(whole: Buffer, lengths: readonly number[]): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn += 1) {
    const next = at + (lengths[turn % lengths.length] ?? 1);
    found.push(whole.subarray(at, next));
    at = next;
  }
  return found;
}

describe('Utf8Stream', () => {
  it('gives the same text however the bytes are cut, and counts what was not valid', () => {
    fc.assert(
      fc.property(bytes, cuts, (whole, lengths) => {
        const stream = new Utf8Stream();
        const text =
          pieces(whole, lengths)
            .map((piece) => stream.push(piece))
            .join('') + stream.end();
        const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole);
        expect(text).toBe(expected);
        const written = whole.toString('latin1').split('\xEF\xBF\xBD').length - 1;
        expect(stream.invalid).toBe(expected.split('\uFFFD').length - 1 - written);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a character in three writes', ['e2', '89', 'a4'], '≤', 0],
    ['an unfinished character at the end', ['61', 'f09f98'], 'a\uFFFD', 1],
    ['a lone surrogate', ['eda080'], '\uFFFD\uFFFD\uFFFD', 3],
    ['bytes that are never part of UTF-8', ['ff', 'fe'], '\uFFFD\uFFFD', 2],
    ['NUL', ['610062'], 'a\0b', 0],
  ])('decodes %s', (_what, writes, text, invalid) => {
    const stream = new Utf8Stream();
    expect(writes.map((hex) => stream.push(Buffer.from(hex, 'hex'))).join('') + stream.end()).toBe(text);
    expect(stream.invalid).toBe(invalid);
  });
});

describe('KeptText', () => {
  it('keeps all of a text that fits, and else head and tail within the size, never half a character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 30 })), fc.integer({ min: 8, max: 100 }), (texts, max) => {
        const kept = new KeptText(max);
        for (const text of texts) kept.push(Buffer.from(text));
        const whole = texts.join('');
        const size = Buffer.byteLength(whole);
        const { text, kept: left } = kept.finish();
        expect(kept.truncated).toBe(size > max);
        if (size <= max) {
          expect([text, left]).toEqual([whole, size]);
          return;
        }
        const [, head = '', out = '', tail = ''] = /^(.*)\n\[\.\.\. ([\d,]+) bytes left out \.\.\.\]\n(.*)$/s.exec(text) ?? [];
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBe(left);
        expect(left).toBeLessThanOrEqual(max);
        expect(left).toBeGreaterThan(max - 8); // at most one character is lost at either cut
        expect(Number(out.replaceAll(',', ''))).toBe(size - left);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('LiveOutput', () => {
  it('sends small pieces in the order of arrival, up to the cap of each stream', () => {
    const sent: [string, string][] = [];
    const live = new LiveOutput(40_000, (stream, text) => sent.push([stream, text]));
    live.push('stdout', '≤'.repeat(10_000));
    live.push('stderr', 'trouble');
    live.push('stdout', '≤'.repeat(10_000));
    live.push('stdout', 'never shown');
    live.flush();
    expect(sent.every(([, text]) => Buffer.byteLength(text) <= 16_384 && !text.includes('\uFFFD'))).toBe(true);
    const of = (wanted: string): string => sent.map(([stream, text]) => (stream === wanted ? text : '')).join('');
    expect(of('stdout')).toBe('≤'.repeat(13_333));
    expect(of('stderr')).toBe('trouble');
    expect(sent.findIndex(([stream]) => stream === 'stderr')).toBe(2);
  });

  it('waits a moment for more before it sends', async () => {
    const sent: string[] = [];
    const live = new LiveOutput(1_000, (_stream, text) => sent.push(text));
    live.push('stdout', 'a');
    live.push('stdout', 'b');
    expect(sent).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(sent).toEqual(['ab']);
  });
});

describe('StreamOutput', () => {
  const secret = 'correct-horse-battery-staple-42';

  it('lets a secret out in no piece, however it is cut, and still hashes the raw bytes', () => {
    const raw = Buffer.from(`before ${secret} after\n🙂 ${secret}\n`);
    fc.assert(
      fc.property(cuts, (lengths) => {
        const emitted: string[] = [];
        const output = new StreamOutput(1_000, new Redactor([secret]).stream(), (text) => emitted.push(text));
        for (const piece of pieces(raw, lengths)) output.push(piece);
        const { text, fact } = output.finish();
        expect(text).toBe(emitted.join(''));
        expect(text).toContain('before [REDACTED:');
        expect(text).toContain('after\n🙂 [REDACTED:');
        expect(text).not.toContain(secret);
        expect(fact).toMatchObject({
          bytes: raw.length,
          sha256: createHash('sha256').update(raw).digest('hex'),
          redactions: 2,
          invalidUtf8: 0,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('says when a stream has brought sixteen times what is kept', () => {
    const output = new StreamOutput(1_024, new Redactor([]).stream(), () => undefined);
    for (let round = 0; round < 16; round += 1) output.push(Buffer.alloc(1_024, 'x'));
    expect(output.overflowed).toBe(false);
    output.push(Buffer.from('x'));
    expect(output.overflowed).toBe(true);
    expect(output.finish().fact).toMatchObject({ bytes: 16 * 1_024 + 1, kept: 1_024 });
  });
});
