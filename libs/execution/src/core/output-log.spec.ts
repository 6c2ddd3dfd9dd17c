import fc from 'fast-check';
import { OutputLog } from './output-log.js';

const piece = fc.record({
  stream: fc.constantFrom('stdout' as const, 'stderr' as const),
  text: fc.string({ unit: 'binary', maxLength: 50 }),
  cut: fc.boolean(),
});

describe('OutputLog', () => {
  it('keeps every piece in order, numbers without gaps, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const log = new OutputLog(1_000_000);
        const chunks = pieces.flatMap(({ stream, text, cut }) => {
          log.push(stream, text, 0);
          return cut ? log.take() : [];
        });
        chunks.push(...log.take());
        const written = (stream: string) =>
          pieces
            .filter((one) => one.stream === stream)
            .map(({ text }) => text)
            .join('');
        const stored = (stream: string) =>
          chunks
            .filter((one) => one.stream === stream)
            .map(({ text }) => text)
            .join('');
        expect([stored('stdout'), stored('stderr')]).toEqual([written('stdout'), written('stderr')]);
        expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index + 1));
        expect(log.lastSeq).toBe(chunks.length);
      }),
    );
  });

  it('never cuts a character in two', () => {
    const log = new OutputLog(1_000_000);
    log.push('stdout', `x${'😀'.repeat(40_000)}`, 0);
    const chunks = log.take();
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every(({ text }) => text.isWellFormed())).toBe(true);
  });

  it('is bounded, and says once that more came', () => {
    const log = new OutputLog(100);
    for (let turn = 0; turn < 1_000; turn += 1) log.push('stdout', 'y'.repeat(30), 0);
    const text = log
      .take()
      .map((chunk) => chunk.text)
      .join('');
    expect(text).toMatch(/^y{90}\n\[more output/);
    log.push('stdout', 'later', 0);
    expect(log.isEmpty).toBe(true);
  });

  it('joins what comes together on one stream', () => {
    const log = new OutputLog(100);
    log.push('stdout', 'a', 1);
    log.push('stdout', 'b', 2);
    log.push('stderr', 'c', 3);
    expect(log.take()).toEqual([
      { seq: 1, stream: 'stdout', text: 'ab', at: 1 },
      { seq: 2, stream: 'stderr', text: 'c', at: 3 },
    ]);
  });
});
