import type { DiffLine } from '#contracts';
import { longestCommon } from './longest-common.js';

const AROUND = 3;
/** Texts whose differing middle is longer than this are shown as replaced whole: a table of all pairs would not fit. */
const MOST_CELLS = 4_000_000;

/** What changes from one text to another, line by line, with a few equal lines around. Pure. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const middle = changed(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  if (middle.length === 0) return [];
  const lines = [...old.slice(0, head).map(same), ...middle, ...old.slice(old.length - tail).map(same)];
  return folded(lines);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const removed = (text: string): DiffLine => ({ kind: 'removed', text });
const added = (text: string): DiffLine => ({ kind: 'added', text });

function changed(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > MOST_CELLS) return [...old.map(removed), ...now.map(added)];
  const out: DiffLine[] = [];
  let from = 0;
  let to = 0;
  for (const [at, atNow] of [...longestCommon(old, now), [old.length, now.length] as const]) {
    out.push(...old.slice(from, at).map(removed), ...now.slice(to, atNow).map(added));
    const line = old[at];
    if (line !== undefined) out.push(same(line));
    from = at + 1;
    to = atNow + 1;
  }
  return out;
}

/** Leaves out equal lines that stand far from a change, and says how many. */
function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => line.kind !== 'same'));
  const out: DiffLine[] = [];
  let skipped = 0;
  const flush = (): void => {
    if (skipped > 0) out.push({ kind: 'skipped', text: String(skipped) });
    skipped = 0;
  };
  lines.forEach((line, at) => {
    if (isNear[at] !== true) {
      skipped += 1;
      return;
    }
    flush();
    out.push(line);
  });
  flush();
  return out;
}
