import type { DiffLine, PolicyDiff, PolicyRule, PolicyText } from '#contracts';

const CONTEXT = 3;
/** Beyond this many pairs of lines the changed part is shown as removed and added as a whole. */
const MAX_PAIRS = 4_000_000;

/** What a new document changes: rules by name, and lines with a little around them. */
export function diffOf(
  before: { readonly yaml: string; readonly document: PolicyText },
  after: { readonly yaml: string; readonly document: PolicyText },
): PolicyDiff {
  const old = new Map(before.document.rules.map((rule) => [rule.name, rule]));
  const now = new Map(after.document.rules.map((rule) => [rule.name, rule]));
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].filter(([name, rule]) => isChanged(old.get(name), rule)).map(([name]) => name),
    lines: shortened(lineDiff(linesOf(before.yaml), linesOf(after.yaml))),
  };
}

function isChanged(before: PolicyRule | undefined, { line: _, ...after }: PolicyRule): boolean {
  if (!before) return false;
  const { line: __, ...then } = before;
  return JSON.stringify(then) !== JSON.stringify(after);
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  return [
    ...before.slice(0, start).map(same),
    ...(old.length * now.length > MAX_PAIRS ? [...old.map(removed), ...now.map(added)] : middle(old, now)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common run of lines. */
function middle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [then, next] = [old[row], now[column]];
    if (then !== undefined && then === next) {
      lines.push(same(then));
      row += 1;
      column += 1;
    } else if (then !== undefined && (next === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(then));
      row += 1;
    } else {
      lines.push(added(next ?? ''));
      column += 1;
    }
  }
  return lines;
}

/** Equal lines far from any change are counted, not shown. */
function shortened(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind !== 'same') for (let around = at - CONTEXT; around <= at + CONTEXT; around += 1) near.add(around);
  });
  const shown: DiffLine[] = [];
  let skipped = 0;
  lines.forEach((line, at) => {
    if (!near.has(at)) {
      skipped += 1;
      return;
    }
    if (skipped > 0) shown.push({ kind: 'skipped', text: String(skipped) });
    skipped = 0;
    shown.push(line);
  });
  if (skipped > 0) shown.push({ kind: 'skipped', text: String(skipped) });
  return shown;
}

function same(text: string): DiffLine {
  return { kind: 'same', text };
}

function added(text: string): DiffLine {
  return { kind: 'added', text };
}

function removed(text: string): DiffLine {
  return { kind: 'removed', text };
}
