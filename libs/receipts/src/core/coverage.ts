type Range = readonly [first: number, last: number];

/** Owner of the question which ledger entries are here, which were deleted by a rule, and which are just missing. */
export class Coverage {
  readonly #gaps: Range[] = [];
  readonly #deleted: Range[] = [];
  #first: number | null = null;
  #last: number | null = null;

  get first(): number | null {
    return this.#first;
  }

  get last(): number | null {
    return this.#last;
  }

  /** False when the entry does not come after the one before. */
  add(index: number): boolean {
    if (this.#last !== null && index <= this.#last) return false;
    if (this.#last !== null && index > this.#last + 1) this.#gaps.push([this.#last + 1, index - 1]);
    this.#first ??= index;
    this.#last = index;
    return true;
  }

  /** What a receipt of a deletion says. Anything else says nothing. */
  addDeleted(ranges: unknown): void {
    if (!Array.isArray(ranges)) return;
    for (const range of ranges as readonly unknown[]) {
      const [first, last] = Array.isArray(range) ? (range as readonly unknown[]) : [];
      if (isPlace(first) && isPlace(last)) this.#deleted.push([first, last]);
    }
  }

  /** What is neither here nor deleted between `first` and `last`. */
  missing(first: number | null, last: number | null): readonly Range[] {
    const edges: Range[] = [];
    if (first !== null && last !== null && this.#first === null) edges.push([first, last]);
    if (first !== null && this.#first !== null && this.#first > first) edges.push([first, this.#first - 1]);
    if (last !== null && this.#last !== null && this.#last < last) edges.push([this.#last + 1, last]);
    const deleted = [...this.#deleted].sort(([one], [other]) => one - other);
    return [...edges, ...this.#gaps].flatMap((gap) => without(gap, deleted));
  }
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The parts of a range that no other range covers. */
function without([first, last]: Range, others: readonly Range[]): readonly Range[] {
  const parts: Range[] = [];
  let from = first;
  for (const [start, end] of others) {
    if (end < from || start > last) continue;
    if (start > from) parts.push([from, start - 1]);
    from = Math.max(from, end + 1);
  }
  return from <= last ? [...parts, [from, last]] : parts;
}
