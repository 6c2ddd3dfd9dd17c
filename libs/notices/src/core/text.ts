import { sha256Hex } from '#receipts/core';

/** Characters that do not show, or that change how others show: controls, formats with bidi and tags, half characters, line ends. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** Text as people may be shown it anywhere: nothing in it hides, and it is one line. */
export function visible(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** What is too long ends with the digest of the whole, so that two long texts with one beginning are told apart. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const digest = sha256Hex(text).slice(0, 12);
  const tail = `… (${String(text.length)} characters, sha256 ${digest})`;
  return `${text.slice(0, most - tail.length).toWellFormed()}${tail}`;
}
