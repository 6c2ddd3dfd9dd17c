import { isLetterOrDigit } from './found.js';

/** What stands between the name of a secret and its value. */
export interface Lead {
  /** Where the value begins. */
  readonly end: number;
  /** The quote before the value, as its unit, or `NONE`. */
  readonly quote: number;
  /** `NAME=value` and `--name value`, where nothing else separates the two. */
  readonly isTight: boolean;
}

export const NONE = 0;
export const DOUBLE = 34;
const SINGLE = 39;
const BACKTICK = 96;
const TAB = 9;
const SPACE = 32;
const HYPHEN = 45;
const COLON = 58;
const EQUALS = 61;
const GREATER = 62;
const BRACKET = 93;
const BACKSLASH = 92;
const UNDERSCORE = 95;
const MOST_NAME = 24;
const MOST_BLANKS = 4;

/** `…_name": ` and its kin. Walked by hand: this is looked at for every word that could name a secret. */
export function namedLead(text: string, from: number): Lead | undefined {
  let at = skipSuffix(text, from);
  if (text.charCodeAt(at) === BACKSLASH) at += 1;
  if (isQuote(text.charCodeAt(at))) at += 1;
  if (text.charCodeAt(at) === BRACKET) at += 1;
  const name = at;
  at = skipBlanks(text, at);
  const sign = afterSign(text, at);
  if (sign === at) return undefined;
  const isPlain = name === at && text.charCodeAt(at) === EQUALS && text.charCodeAt(sign - 1) === EQUALS;
  at = skipBlanks(text, sign);
  const quoteAt = text.charCodeAt(at) === BACKSLASH ? at + 1 : at;
  const quote = text.charCodeAt(quoteAt);
  if (isQuote(quote)) return { end: quoteAt + 1, quote, isTight: false };
  return { end: at, quote: NONE, isTight: isPlain && at === sign };
}

/** `--password value` */
export function flagLead(text: string, start: number, from: number): Lead | undefined {
  const name = skipNameUnits(text, from, MOST_NAME);
  const at = skipBlanks(text, name);
  if (at === name || !isFlag(text, start)) return undefined;
  const quote = text.charCodeAt(at);
  const end = isQuote(quote) ? at + 1 : at;
  if (text.charCodeAt(end) === HYPHEN) return undefined; // the next flag
  return { end, quote: end > at ? quote : NONE, isTight: true };
}

/** Our own markers name kinds of secrets. */
export function isInMarker(text: string, start: number): boolean {
  let at = start;
  while (start - at < 28 && isKindUnit(text.charCodeAt(at - 1))) at -= 1;
  return text.charCodeAt(at - 1) === COLON && text.startsWith('[REDACTED:', at - 10);
}

/** The end of a name that goes on after the word: `password_2`, `tokenValue`. */
function skipSuffix(text: string, from: number): number {
  const unit = text.charCodeAt(from);
  if (unit === UNDERSCORE || unit === HYPHEN) return skipNameUnits(text, from + 1, MOST_NAME);
  if (unit < 65 || unit > 90) return from;
  let at = from + 1;
  while (at <= from + MOST_NAME && isLetterOrDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function skipNameUnits(text: string, from: number, most: number): number {
  let at = from;
  while (at < from + most && isNameUnit(text.charCodeAt(at))) at += 1;
  return at;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < from + MOST_BLANKS && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** After `=>`, `:=`, up to three `=`, or `:`. */
function afterSign(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (unit === COLON) return next === EQUALS ? at + 2 : at + 1;
  if (unit !== EQUALS) return at;
  if (next === GREATER) return at + 2;
  if (next !== EQUALS) return at + 1;
  return text.charCodeAt(at + 2) === EQUALS ? at + 3 : at + 2;
}

/** The word before this place, up to it, is the name of an option: `--db-` in `--db-password`. */
function isFlag(text: string, start: number): boolean {
  const least = Math.max(0, start - MOST_NAME - 3);
  let at = start;
  while (at > least && isNameUnit(text.charCodeAt(at - 1))) at -= 1;
  if (text.charCodeAt(at) !== HYPHEN || at === start) return false;
  const signs = text.charCodeAt(at + 1) === HYPHEN && at + 1 < start ? 2 : 1;
  return start - at - signs <= MOST_NAME && (at === 0 || separates(text.charCodeAt(at - 1)));
}

function separates(unit: number): boolean {
  return isBlank(unit) || unit === DOUBLE || unit === SINGLE || (unit >= 10 && unit <= 13) || (unit >= 128 && isSpace(unit));
}

function isSpace(unit: number): boolean {
  return String.fromCharCode(unit).trim() === '';
}

function isNameUnit(unit: number): boolean {
  return isLetterOrDigit(unit) || unit === UNDERSCORE || unit === HYPHEN;
}

function isKindUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || unit === HYPHEN;
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

function isQuote(unit: number): boolean {
  return unit === DOUBLE || unit === SINGLE || unit === BACKTICK;
}
