/**
 * Makes program output safe to hand to a terminal. Lets colour, carriage return, line feed and tab
 * through; takes every other control sequence out and counts it; spells direction controls. Keeps its
 * place between pushes, since a sequence may be split over chunks.
 */
type State = 'ground' | 'escape' | 'charset' | 'csi' | 'string' | 'string_escape';

const NEEDS_WORK =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uD800-\uDFFF]/;
const SPELLED = /[\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;
const MAX_PARAMETERS = 64;

export class TerminalText {
  #state: State = 'ground';
  #parameters = '';
  #removed = 0;

  /** How many control sequences were taken out so far. */
  get removed(): number {
    return this.#removed;
  }

  push(text: string): string {
    if (this.#state === 'ground' && !NEEDS_WORK.test(text)) return text;
    let out = '';
    for (const character of text) out += this.#take(character);
    return out;
  }

  #take(character: string): string {
    const point = character.codePointAt(0) ?? 0;
    switch (this.#state) {
      case 'ground':
        return this.#ground(character, point);
      case 'escape':
        return this.#escape(character, point);
      case 'charset':
        this.#state = 'ground';
        return '';
      case 'csi':
        return this.#csi(character, point);
      case 'string':
        if (point === 0x07 || point === 0x9c || point === 0x18 || point === 0x1a) this.#state = 'ground';
        else if (point === 0x1b) this.#state = 'string_escape';
        return this.#endOfLine(character, point);
      case 'string_escape':
        this.#state = 'ground';
        return point === 0x5c ? '' : this.#escape(character, point);
    }
  }

  /** No real string holds a line end; ending there keeps an unended one from hiding the lines that follow. */
  #endOfLine(character: string, point: number): string {
    if (point !== 0x0a && point !== 0x0d) return '';
    this.#state = 'ground';
    return character;
  }

  #ground(character: string, point: number): string {
    if (point === 0x0a || point === 0x0d || point === 0x09) return character;
    if (point === 0x1b) return this.#enter('escape');
    if (point === 0x9b) return this.#enter('csi');
    if (point === 0x90 || point === 0x98 || (point >= 0x9d && point <= 0x9f)) return this.#enter('string');
    if (point < 0x20 || (point >= 0x7f && point <= 0x9f)) {
      this.#removed += 1;
      return '';
    }
    if (point >= 0xd800 && point <= 0xdfff) return '\uFFFD';
    return SPELLED.test(character) ? `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩` : character;
  }

  #enter(state: State): string {
    this.#state = state;
    this.#parameters = '';
    if (state !== 'escape') this.#removed += 1;
    return '';
  }

  #escape(character: string, point: number): string {
    if (character === '[') {
      this.#state = 'csi';
      this.#parameters = '';
      this.#removed += 1;
      return '';
    }
    if (character === ']' || character === 'P' || character === 'X' || character === '^' || character === '_') return this.#enter('string');
    this.#removed += 1;
    if (point >= 0x20 && point <= 0x2f) {
      this.#state = 'charset';
      return '';
    }
    this.#state = 'ground';
    return point === 0x0a || point === 0x0d ? character : '';
  }

  #csi(character: string, point: number): string {
    if (point === 0x1b) return this.#enter('escape');
    if (point === 0x0a || point === 0x0d) {
      this.#state = 'ground';
      return character;
    }
    if (point >= 0x20 && point <= 0x3f) {
      if (this.#parameters.length < MAX_PARAMETERS) this.#parameters += character;
      return '';
    }
    this.#state = 'ground';
    if (character !== 'm' || !/^[\d;:]*$/.test(this.#parameters) || this.#parameters.length >= MAX_PARAMETERS) return '';
    this.#removed -= 1;
    return `\u001B[${withoutConceal(this.#parameters)}m`;
  }
}

/** Colour may not hide text: the parameter 8 (conceal) goes, unless it is part of an extended colour. */
function withoutConceal(parameters: string): string {
  const kept: string[] = [];
  const all = parameters.split(';');
  for (let index = 0; index < all.length; index += 1) {
    const parameter = all[index] ?? '';
    if (parameter === '38' || parameter === '48' || parameter === '58') {
      const length = all[index + 1] === '2' ? 5 : 3;
      kept.push(...all.slice(index, index + length));
      index += length - 1;
    } else if (Number(parameter) !== 8 || parameter === '') kept.push(parameter);
  }
  return kept.join(';');
}

/** What a person reads: the same text without colour and with carriage returns resolved to line ends. */
export function withoutColour(text: string): string {
  return text.replaceAll(/\u001B\[[\d;:]*m/g, '');
}
