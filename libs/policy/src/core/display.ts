import type { RuleId } from './rules.js';

// Controls, bidi marks, zero-width and tag characters, blanks that are not blank: what makes a line look other than it is.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad]|\u034f|[\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/u;
/** Parts of one picture character: a variation selector or joiner right behind a pictograph. */
const PICTURE_PARTS = /(\p{Extended_Pictographic}\p{Emoji_Modifier}?)(?:\ufe0f|\ufe0f?\u200d(?=\p{Extended_Pictographic}))/gu;
/** Blanks and unmarked signs that look like a space between words. */
const FALSE_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ORDINARY = /^[\u0020-\u007e]*$/;
const NOT_ASCII = /[^\u0000-\u007f]/;
/** Dashes that are not the dash of options. */
const FALSE_DASH = /^[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]/;
const LETTERS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

/** What a word is to its command: some may hold more than others. */
export type WordUse = 'executable' | 'word' | 'message';

/** The rule that a word breaks by how it looks, or null. */
export function displayFault(word: string, use: WordUse): RuleId | null {
  if (ORDINARY.test(word)) return use === 'executable' && word !== word.trim() ? 'display.look-alike' : null;
  if (LONE_SURROGATE.test(word)) return 'display.surrogate';
  if (HIDDEN.test(use === 'message' ? word.replaceAll(PICTURE_PARTS, '$1') : word)) return 'display.hidden';
  if (use !== 'message' && word.includes('\n')) return 'display.line-break';
  if (!NOT_ASCII.test(word)) return null;
  if (FALSE_DASH.test(word)) return 'display.look-alike';
  if (use === 'executable') return word.includes('/') && !mixesAlphabets(word) ? null : 'display.look-alike';
  if (use === 'message') return null;
  if (word.startsWith('-') && NOT_ASCII.test(optionName(word))) return 'display.look-alike';
  if (FALSE_BLANK.test(word)) return 'display.blank';
  const text = word.startsWith('-') ? word.slice(optionName(word).length) : word; // such as `-mText`
  return runsOfLetters(text).some(mixesAlphabets) ? 'display.mixed' : null;
}

function runsOfLetters(word: string): readonly string[] {
  return word.match(/\p{L}+/gu) ?? [];
}

/** A whole command line before it is read. Line breaks inside quotes are judged later, word by word. */
export function lineFault(text: string): RuleId | null {
  if (ORDINARY.test(text)) return null;
  if (LONE_SURROGATE.test(text)) return 'display.surrogate';
  return HIDDEN.test(text.replaceAll(PICTURE_PARTS, '$1')) ? 'display.hidden' : null;
}

/** Text as a person may safely see it inside a sentence: escapes visible, length bounded. */
export function shown(text: string, max = 80): string {
  if (text.length <= max && ORDINARY.test(text)) return text;
  const safe = Array.from(text.replaceAll(/\r?\n/g, '\\n').replaceAll('\t', '\\t'), (character) => {
    return HIDDEN.test(character) || LONE_SURROGATE.test(character) || FALSE_BLANK.test(character) ? escaped(character) : character;
  });
  return safe.length <= max ? safe.join('') : `${safe.slice(0, max - 1).join('')}…`;
}

/** A word with everything escaped that is not plain ASCII: what it is, not what it looks like. */
export function revealed(word: string): string {
  return Array.from(word, (character) => (ORDINARY.test(character) ? character : escaped(character))).join('');
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function optionName(word: string): string {
  return word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word.slice(0, 2 + Number((word.codePointAt(1) ?? 0) > 0xffff));
}

function mixesAlphabets(word: string): boolean {
  return LETTERS.filter((letters) => letters.test(word)).length > 1;
}
