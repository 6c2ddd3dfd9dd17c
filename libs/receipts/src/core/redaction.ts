import { PrivateKeyLines } from './private-key-lines.js';
import { CONTINUED, markerOf, NO_TAILS, SecretScanner, type OpenTails, type Range, type Sightings } from './secret-scanner.js';
import { VisibleText } from './visible-text.js';

export interface Redacted {
  readonly text: string;
  /** How many secrets were replaced. */
  readonly count: number;
}

/** A line longer than this is handled in pieces, each judged with the text that follows it. */
const PIECE_UNITS = 2_048;
/** An argument that is followed by a secret as the next argument. */
const SECRET_FLAG = /^--?[A-Za-z0-9_-]{0,24}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|pwd)$/i;

/** Owner of what is secret. Replaces known values in all their spellings, and common shapes, in linear time. */
export class Redactor {
  readonly #scanner: SecretScanner;

  constructor(secrets: readonly string[]) {
    this.#scanner = new SecretScanner(secrets);
  }

  redact(text: string): Redacted {
    if (this.#scanner.isPlain(text)) return { text, count: 0 };
    const stream = this.stream();
    return { text: stream.push(text) + stream.flush(), count: stream.count };
  }

  /** Arguments one by one; the value after `--password` is hidden as a whole. */
  redactArgv(argv: readonly string[]): readonly string[] {
    return argv.map((word, index) => {
      const isValue = SECRET_FLAG.test(argv[index - 1] ?? '') && word !== '' && !word.startsWith('-');
      return isValue ? '[REDACTED:secret-assignment]' : this.redact(word).text;
    });
  }

  stream(): RedactionStream {
    return new RedactionStream(this.#scanner);
  }
}

/**
 * Owner of the text that is held back while more of it may still come. How the text is cut into pushes never changes
 * the result: lines are judged as a whole, and longer lines are cut at places that only their own content decides.
 */
export class RedactionStream {
  #count = 0;
  #pending = '';
  /** What earlier pieces of the same line decided about the text to come, counted from its first unit. */
  #ahead: readonly Range[] = [];
  #open: OpenTails = NO_TAILS;
  #resume = 0;
  readonly #keyLines = new PrivateKeyLines();

  constructor(private readonly scanner: SecretScanner) {}

  get count(): number {
    return this.#count;
  }

  /** Text that is safe to show now. */
  push(text: string): string {
    return this.#run(this.#pending + text, false);
  }

  /** The rest; the stream is then as new. */
  flush(): string {
    const rest = this.#run(this.#pending, true);
    this.#forget();
    return rest;
  }

  #run(text: string, isEnd: boolean): string {
    const window = PIECE_UNITS + this.scanner.reach;
    const out: string[] = [];
    let at = 0;
    while (at < text.length) {
      const end = lastLineEnd(text, at, Math.min(text.length, at + PIECE_UNITS)) ?? firstLineEnd(text, at + PIECE_UNITS, at + window);
      if (end !== undefined) {
        out.push(this.#lines(text, at, end));
        at = end;
      } else if (text.length - at >= window) {
        const cut = isHighSurrogate(text.charCodeAt(at + PIECE_UNITS - 1)) ? PIECE_UNITS - 1 : PIECE_UNITS;
        out.push(this.#piece(text.slice(at, at + window), cut));
        at += cut;
      } else if (isEnd) {
        out.push(this.#lines(text, at, text.length));
        at = text.length;
      } else break;
    }
    this.#pending = text.slice(at);
    return out.join('');
  }

  /** Whole lines, or the end of a long one. Nothing that is found here reaches beyond them. */
  #lines(text: string, from: number, to: number): string {
    const sightings = this.#look(text, from, to, to);
    const keys = sightings.begin || this.#keyLines.inside ? this.#hideKeys(text, from, to, sightings) : [];
    const ranges = [...this.#ahead.map((range) => shift(range, from)), ...sightings.ranges, ...keys];
    this.#ahead = [];
    this.#open = NO_TAILS;
    return this.#replace(text, from, to, ranges);
  }

  /** One piece of a long line; `text` goes on far enough to judge everything that begins before `cut`. */
  #piece(text: string, cut: number): string {
    const sightings = this.#look(text, 0, cut, text.length);
    const inKeys = sightings.begin || this.#keyLines.inside;
    const keys = inKeys ? this.#keyLines.hide(text, 0, cut, text.length, sightings.visible) : [];
    const ranges = [...this.#ahead, ...sightings.ranges, ...keys];
    this.#ahead = ranges
      .filter(({ end }) => end > cut)
      .map(({ start, end, rank }) => ({ start: Math.max(0, start - cut), end: end - cut, rank: start < cut ? CONTINUED : rank }));
    this.#open = sightings.open;
    this.#resume = text.length - cut;
    return this.#replace(text, 0, cut, ranges);
  }

  #look(text: string, from: number, accept: number, to: number): Sightings {
    return this.scanner.look({ text, from, accept, to, open: this.#open, resume: from + this.#resume });
  }

  #hideKeys(text: string, from: number, to: number, { visible }: Sightings): readonly Range[] {
    const ranges: Range[] = [];
    for (let at = from; at < to;) {
      const end = firstLineEnd(text, at, to) ?? to;
      ranges.push(...this.#keyLines.hide(text, at, end, end, visible ? new VisibleText(text, at, end) : undefined));
      at = end;
    }
    return ranges;
  }

  /** Overlapping ranges become one, named after the one that begins first. */
  #replace(text: string, from: number, to: number, ranges: readonly Range[]): string {
    if (ranges.length === 0) return text.slice(from, to);
    const out: string[] = [];
    let shown = from;
    for (const range of inOrder(ranges)) {
      if (range.start >= to) break;
      if (range.start >= shown) {
        out.push(text.slice(shown, range.start));
        if (range.rank !== CONTINUED) {
          out.push(markerOf(range));
          this.#count += 1;
        }
      }
      shown = Math.max(shown, Math.min(range.end, to));
    }
    out.push(text.slice(shown, to));
    return out.join('');
  }

  #forget(): void {
    this.#pending = '';
    this.#ahead = [];
    this.#open = NO_TAILS;
  }
}

/** Most often they are in order already: anchors are found from left to right. */
function inOrder(ranges: readonly Range[]): readonly Range[] {
  const isSorted = ranges.every((range, index) => {
    const before = ranges[index - 1];
    return !before || before.start < range.start || (before.start === range.start && before.rank <= range.rank);
  });
  return isSorted ? ranges : [...ranges].sort((one, other) => one.start - other.start || one.rank - other.rank);
}

function shift({ start, end, rank }: Range, by: number): Range {
  return { start: start + by, end: end + by, rank };
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13;
}

/** After the last line break in [from, to). */
function lastLineEnd(text: string, from: number, to: number): number | undefined {
  for (let index = to - 1; index >= from; index -= 1) {
    if (isLineEnd(text.charCodeAt(index))) return index + 1;
  }
  return undefined;
}

/** After the first line break in [from, to). */
function firstLineEnd(text: string, from: number, to: number): number | undefined {
  const limit = Math.min(to, text.length);
  for (let index = from; index < limit; index += 1) {
    if (isLineEnd(text.charCodeAt(index))) return index + 1;
  }
  return undefined;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
