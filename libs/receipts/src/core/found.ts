/** A stretch of text to hide. `tail` is the class of units that go on belonging to it, however long it is. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly tail: Tail | undefined;
}

/** Which units continue a secret. Each class is walked at most once per place, so the walk is linear. */
export type Tail = 'word' | 'token' | 'value' | 'double' | 'single' | 'header';

/** Where an anchor stands. `run` is the end of a run of one class, walked once however often it is asked for. */
export interface Anchor {
  readonly start: number;
  readonly end: number;
  readonly run: (tail: Tail, from: number) => number;
}

/** The pattern exactly at this place; it must be sticky. */
export function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function whole(pattern: RegExp, text: string, start: number, tail: Tail): Found | undefined {
  const found = match(pattern, text, start);
  return found ? { start, end: start + found[0].length, tail } : undefined;
}

/** What a match leaves standing comes first, in group 1; the secret is the rest. */
export function afterLead(pattern: RegExp, text: string, at: number, tail: Tail | undefined): Found | undefined {
  const found = match(pattern, text, at);
  return found ? { start: at + (found[1] ?? '').length, end: at + found[0].length, tail } : undefined;
}

export function isLetterOrDigit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}

/** The index after the last unit that continues a secret of this class, at most `to`. */
export function tailEnd(tail: Tail, text: string, from: number, to: number): number {
  let index = from;
  while (index < to && continues(tail, text.charCodeAt(index))) {
    index += 1;
  }
  return index;
}

function continues(tail: Tail, unit: number): boolean {
  switch (tail) {
    case 'word':
      return isLetterOrDigit(unit) || unit === 95 || unit === 45;
    case 'token':
      return isLetterOrDigit(unit) || '._~+/=-'.includes(String.fromCharCode(unit));
    case 'value':
      return unit > 32 && unit !== 34 && unit !== 39 && unit !== 96;
    case 'double':
      return unit !== 34 && unit !== 10 && unit !== 13;
    case 'single':
      return unit !== 39 && unit !== 96 && unit !== 10 && unit !== 13;
    case 'header':
      return unit !== 34 && unit !== 39 && unit !== 10 && unit !== 13;
  }
}
