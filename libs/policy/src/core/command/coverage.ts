import type { Statement } from 'unbash';

interface Span {
  readonly pos: number;
  readonly end: number;
}

const BLANK = String.raw`(?:[ \t]|\\\n)*`;
const BETWEEN = new RegExp(String.raw`^${BLANK}(?:(?:\|\||&&|\|&|\||;)(?:[ \t\n]|\\\n)*)?$`);
const BEHIND = /^(?:[ \t\n]|\\\n)*(?:;[ \t\n]*)?(?:(?<=^|[ \t\n;])#[^\n]*\n*)?$/;

/**
 * Whether the words and redirections that the parser found, with plain joins between them, are the whole text. A parser
 * that mends what it does not understand would otherwise drop a character that bash does not drop.
 */
export function coversAll(text: string, statements: readonly Statement[]): boolean {
  const spans = statements.flatMap(({ command }) => spansOf(command)).toSorted((one, other) => one.pos - other.pos);
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return false;
  if (!/^[ \t\n]*$/.test(text.slice(0, first.pos)) || !BEHIND.test(text.slice(last.end))) return false;
  return spans.every(({ end }, at) => {
    const next = spans[at + 1];
    if (!next) return true;
    const gap = text.slice(end, next.pos);
    return next.pos >= end && BETWEEN.test(gap);
  });
}

function spansOf(node: Statement['command']): readonly Span[] {
  if (node.type === 'AndOr' || node.type === 'Pipeline') return node.commands.flatMap((part) => spansOf(part));
  return node.type === 'Command' ? [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix] : [node];
}
