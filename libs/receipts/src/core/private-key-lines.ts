import { CONTINUED, PRIVATE_KEY_RANK, type Range } from './secret-scanner.js';
import { type VisibleText } from './visible-text.js';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gi;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gi;
/** What stands inside a key block, whatever is printed before it on the line. */
const BODY = /[A-Za-z0-9+/=]{16}|^[ \t]*[A-Za-z0-9-]{1,30}: |^[ \t]*[\r\n]*$/;
const MAX_KEY_UNITS = 65_536;
/** A block without an end is over when this many lines in a row cannot belong to it. */
const STRANGE_LINES = 2;

/** Owner of one question: are we inside a private key? Walks lines once and in order; the begin hides all up to the end. */
export class PrivateKeyLines {
  #inside = false;
  #units = 0;
  #strange = 0;

  get inside(): boolean {
    return this.#inside;
  }

  /** What to hide of one line, or of one piece of a long line. Marks beyond `accept` belong to the next piece. */
  hide(text: string, from: number, accept: number, to: number, visible: VisibleText | undefined): readonly Range[] {
    const begins = marks(BEGIN, text, from, to, visible);
    const ends = marks(END, text, from, to, visible);
    const ranges: Range[] = [];
    let at = from;
    for (;;) {
      if (this.#inside) {
        const end = ends.find((mark) => mark.start >= at && mark.start < accept);
        if (!end) break;
        ranges.push({ start: at, end: end.end, rank: CONTINUED });
        at = end.end;
        this.#inside = false;
      }
      const begin = begins.find((mark) => mark.start >= at && mark.start < accept);
      if (!begin) return ranges;
      ranges.push({ start: begin.start, end: begin.end, rank: PRIVATE_KEY_RANK });
      at = begin.end;
      this.#inside = true;
      this.#units = 0;
      this.#strange = 0;
    }
    return [...ranges, ...this.#hideRest(text, at, accept, at === from)];
  }

  #hideRest(text: string, at: number, accept: number, wholeLine: boolean): readonly Range[] {
    const rest = text.slice(at, accept);
    this.#units += rest.length;
    if (wholeLine) this.#strange = BODY.test(rest) ? 0 : this.#strange + 1;
    const isOver = this.#strange >= STRANGE_LINES || this.#units > MAX_KEY_UNITS;
    if (isOver) this.#inside = false;
    const end = isOver ? at + rest.replace(/[\r\n]+$/, '').length : accept;
    return end > at ? [{ start: at, end, rank: CONTINUED }] : [];
  }
}

const NO_MARKS: readonly Mark[] = [];

/** Five in a row, as every mark has; looked for at every fifth unit. */
function holdsDashes(text: string, from: number, to: number): boolean {
  for (let at = from + 4; at < to; at += 5) if (text.charCodeAt(at) === 45) return true;
  return false;
}

interface Mark {
  readonly start: number;
  readonly end: number;
}

function marks(pattern: RegExp, text: string, from: number, to: number, visible: VisibleText | undefined): readonly Mark[] {
  if (!visible && !holdsDashes(text, from, to)) return NO_MARKS;
  const written = [...text.slice(from, to).matchAll(pattern)].map(({ index, 0: mark }) => ({
    start: from + index,
    end: from + index + mark.length,
  }));
  if (!visible) return written;
  const seen = [...visible.text.matchAll(pattern)].map(({ index, 0: mark }) => ({
    start: visible.originalIndex(index),
    end: visible.originalEnd(index + mark.length),
  }));
  return [...written, ...seen].sort((one, other) => one.start - other.start);
}
