import type { OutputChunk } from '#contracts';
import { NO_LINES, chosen, extendLines, mergeChunks } from './output-lines.js';

const chunk = (seq: number, stream: OutputChunk['stream'] = 'stdout', text = 'x'): OutputChunk => ({ seq, stream, text, at: 0 });

describe('output lines', () => {
  it('knows which lines hold stderr', () => {
    const lines = (
      [
        ['stdout', 'a\nb\n'],
        ['stderr', 'warn\n'],
        ['stdout', 'c'],
        ['stderr', '!'],
        ['stdout', '\nd'],
      ] as const
    ).reduce((map, [stream, text]) => extendLines(map, stream, text), NO_LINES);
    expect([lines.count, [...lines.stderr]]).toEqual([5, [3, 4]]);
  });

  it('keeps a chunk once and in order', () => {
    expect(mergeChunks([chunk(1), chunk(2)], [chunk(2), chunk(3)]).map((one) => one.seq)).toEqual([1, 2, 3]);
    const same = [chunk(1)];
    expect(mergeChunks(same, [chunk(1)])).toBe(same);
  });

  it('shows one stream or both', () => {
    const chunks = [chunk(1), chunk(2, 'stderr')];
    expect(chosen(chunks, 'both')).toHaveLength(2);
    expect(chosen(chunks, 'stderr').map((one) => one.seq)).toEqual([2]);
  });
});
