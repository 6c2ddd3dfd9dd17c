/**
 * Text from outside is data to look at. These functions split it so that nothing in it can hide:
 * what has no shape of its own, moves other letters or belongs to another script gets a visible name.
 */
export type HiddenFamily = 'control' | 'bidi' | 'invisible' | 'tag' | 'surrogate' | 'space' | 'separator' | 'private' | 'unassigned';

export type Piece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'space' | 'tab' | 'newline'; readonly text: string }
  | { readonly kind: 'hidden'; readonly text: string; readonly code: string; readonly family: HiddenFamily; readonly times: number }
  | { readonly kind: 'foreign'; readonly text: string; readonly code: string; readonly script: string };

/** One kind of hidden character found in a text, with how often it stands there. */
export interface Finding {
  readonly code: string;
  readonly name: string;
  readonly times: number;
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|\u2800/u;
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const LETTERS = /[\p{L}\p{M}]+/gu;

/** Scripts with letters that look like Latin ones. A word that mixes them with Latin is a trap more often than a name. */
const LOOKALIKE: readonly (readonly [string, RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['Fullwidth', /[\uFF21-\uFF3A\uFF41-\uFF5A]/u],
  ['Mathematical', /[\u{1D400}-\u{1D7FF}]/u],
];
const LATIN = /[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]/u;

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x0b: 'vertical tab',
  0x0c: 'form feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0x9b: 'control sequence introducer',
  0x9d: 'operating system command',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x34f: 'grapheme joiner',
  0x61c: 'Arabic letter mark',
  0x180e: 'Mongolian vowel separator',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0x2800: 'blank Braille pattern',
  0x3164: 'Hangul filler',
  0xfeff: 'byte order mark',
};

const FAMILY_NAMES: Readonly<Record<HiddenFamily, string>> = {
  control: 'control character',
  bidi: 'direction control',
  invisible: 'invisible character',
  tag: 'tag character',
  surrogate: 'lone surrogate',
  space: 'unusual space',
  separator: 'line separator',
  private: 'private-use character',
  unassigned: 'unassigned character',
};

/** `U+202E`, at least four digits. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

export function nameOf(code: string, family: HiddenFamily): string {
  return NAMES[Number.parseInt(code.slice(2), 16)] ?? FAMILY_NAMES[family];
}

/** The family of a character that must not be drawn as itself, or undefined when it may. */
export function familyOf(character: string): HiddenFamily | undefined {
  if (!HIDDEN.test(character)) return undefined;
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xd800 && point <= 0xdfff) return 'surrogate';
  if (point >= 0xe0000 && point <= 0xe007f) return 'tag';
  if (BIDI.test(character)) return 'bidi';
  if (/\p{Cc}/u.test(character)) return 'control';
  if (/[\p{Zl}\p{Zp}]/u.test(character)) return 'separator';
  if (/\p{Zs}/u.test(character)) return 'space';
  if (/\p{Co}/u.test(character)) return 'private';
  if (/\p{Default_Ignorable_Code_Point}/u.test(character) || /\p{Cf}/u.test(character)) return 'invisible';
  return character === '\u2800' ? 'invisible' : 'unassigned';
}

/** Positions (in UTF-16 units) of look-alike letters in words that also hold Latin letters, with their script. */
function foreignLetters(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const word of text.matchAll(LETTERS)) {
    if (!LATIN.test(word[0])) continue;
    let at = word.index;
    for (const letter of word[0]) {
      const script = LOOKALIKE.find(([, pattern]) => pattern.test(letter))?.[0];
      if (script !== undefined) found.set(at, script);
      at += letter.length;
    }
  }
  return found;
}

/** Splits a text into what may be drawn as it is and what must be drawn as a named box. */
export function pieces(text: string): readonly Piece[] {
  const foreign = foreignLetters(text);
  const out: Piece[] = [];
  let at = 0;
  for (const character of text) {
    push(out, pieceOf(character, foreign.get(at)));
    at += character.length;
  }
  return out;
}

function pieceOf(character: string, script: string | undefined): Piece {
  if (character === ' ') return { kind: 'space', text: character };
  if (character === '\t') return { kind: 'tab', text: character };
  if (character === '\n') return { kind: 'newline', text: character };
  if (script !== undefined) return { kind: 'foreign', text: character, code: codeOf(character), script };
  const family = familyOf(character);
  if (family === undefined) return { kind: 'plain', text: character };
  return { kind: 'hidden', text: character, code: codeOf(character), family, times: 1 };
}

/** Joins plain text to plain text, and a run of one hidden character into one box with a count. */
function push(out: Piece[], piece: Piece): void {
  const last = out.at(-1);
  if (last?.kind === 'plain' && piece.kind === 'plain') out[out.length - 1] = { kind: 'plain', text: last.text + piece.text };
  else if (last?.kind === 'hidden' && piece.kind === 'hidden' && last.code === piece.code)
    out[out.length - 1] = { ...last, text: last.text + piece.text, times: last.times + 1 };
  else out.push(piece);
}

/** Every kind of hidden or look-alike character in the texts, most frequent first. */
export function findings(texts: readonly string[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const piece of texts.flatMap((text) => pieces(text))) {
    if (piece.kind !== 'hidden' && piece.kind !== 'foreign') continue;
    const name = piece.kind === 'hidden' ? nameOf(piece.code, piece.family) : `${piece.script} letter`;
    const times = piece.kind === 'hidden' ? piece.times : 1;
    found.set(piece.code, { code: piece.code, name, times: (found.get(piece.code)?.times ?? 0) + times });
  }
  return [...found.values()].sort((a, b) => b.times - a.times);
}

/** The same text with every hidden character spelled as its code, for places that take only a string. */
export function spelled(text: string): string {
  return pieces(text)
    .map((piece) => (piece.kind === 'hidden' ? `[${piece.code}${piece.times > 1 ? ` ×${String(piece.times)}` : ''}]` : piece.text))
    .join('')
    .replaceAll(/[\t\n]+/g, ' ');
}
