import type { OutputChunk, OutputStream } from '#contracts';

/** Which lines of the output hold text of stderr, and how many lines there are. */
export interface LineMap {
  readonly count: number;
  readonly stderr: ReadonlySet<number>;
}

export const NO_LINES: LineMap = { count: 1, stderr: new Set() };

/** Extends the map by one piece of shown text; lines count from 1. Pure but for sharing the growing set. */
export function extendLines(map: LineMap, stream: OutputStream, text: string): LineMap {
  const ends = text.split('\n').length - 1;
  if (stream === 'stdout') return ends === 0 ? map : { ...map, count: map.count + ends };
  const stderr = new Set(map.stderr);
  const last = text.endsWith('\n') ? ends - 1 : ends;
  for (let line = 0; line <= last; line += 1) stderr.add(map.count + line);
  return { count: map.count + ends, stderr };
}

export type StreamChoice = 'both' | OutputStream;

export function chosen(chunks: readonly OutputChunk[], choice: StreamChoice): readonly OutputChunk[] {
  return choice === 'both' ? chunks : chunks.filter((chunk) => chunk.stream === choice);
}

/** Adds chunks in order of their numbers; one that was heard twice is kept once. */
export function mergeChunks(chunks: readonly OutputChunk[], more: readonly OutputChunk[]): readonly OutputChunk[] {
  const last = chunks.at(-1)?.seq ?? 0;
  const fresh = more.filter((chunk) => chunk.seq > last);
  return fresh.length === 0 ? chunks : [...chunks, ...fresh];
}
