const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
const CSI = String.fromCharCode(155);
const NUL = String.fromCharCode(0);

/** What can stand between the letters of a secret without being seen: NUL, colours, cursor moves, titles, links. No line breaks. */
const UNSEEN = new RegExp(
  [
    NUL,
    `(?:${ESC}\\[|${CSI})[0-?]{0,64}[ -/]{0,16}[@-~]`,
    `${ESC}\\][^${BEL}${ESC}\\r\\n]{0,2048}(?:${BEL}|${ESC}\\\\)`,
    `${ESC}[PX^_][^${ESC}\\r\\n]{0,2048}${ESC}\\\\`,
    `${ESC}[ -/]{0,4}[0-~]?`,
  ].join('|'),
  'g',
);

/** Units that make a second look worthwhile. */
export const UNSEEN_ANCHORS: readonly string[] = [NUL, ESC, CSI];

/** A stretch of text as a person would see it, with the way back to the original indices. */
export class VisibleText {
  readonly text: string;
  readonly #seen: number[] = [];
  readonly #original: number[] = [];

  constructor(original: string, from: number, to: number) {
    const kept: string[] = [];
    let length = 0;
    const keep = (start: number, end: number): void => {
      if (end <= start) return;
      this.#seen.push(length);
      this.#original.push(start);
      kept.push(original.slice(start, end));
      length += end - start;
    };
    let next = from;
    for (const { index, 0: unseen } of original.slice(from, to).matchAll(UNSEEN)) {
      keep(next, from + index);
      next = from + index + unseen.length;
    }
    keep(next, to);
    this.text = kept.join('');
  }

  /** Where the unit at `index` stands in the original. */
  originalIndex(index: number): number {
    let low = 0;
    let high = this.#seen.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#seen[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return (this.#original[low] ?? 0) + index - (this.#seen[low] ?? 0);
  }

  /** The first index here whose unit stands at or after `original` there. */
  indexOf(original: number): number {
    for (let part = this.#original.length - 1; part >= 0; part -= 1) {
      const start = this.#original[part] ?? 0;
      if (start > original) continue;
      const next = this.#seen[part + 1] ?? this.text.length;
      return Math.min((this.#seen[part] ?? 0) + original - start, next);
    }
    return 0;
  }

  /** The original index after the unit before `end`. */
  originalEnd(end: number): number {
    return this.originalIndex(end - 1) + 1;
  }
}
