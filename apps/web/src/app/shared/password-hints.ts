import type { WordKey } from '../core/words.js';

export const MIN_PASSWORD = 12;
const MIN_DIFFERENT = 5;
const LONG = 20;

export interface PasswordHint {
  readonly word: WordKey;
  readonly isMet: boolean;
}

/** What the server asks of a password, while it is typed. Pure. */
export function passwordHints(password: string, name: string): readonly PasswordHint[] {
  const characters = [...password.normalize('NFC')];
  return [
    { word: 'hint_length', isMet: characters.length >= MIN_PASSWORD },
    { word: 'hint_different', isMet: new Set(characters).size >= MIN_DIFFERENT },
    { word: 'hint_not_name', isMet: password !== '' && password.toLowerCase() !== name.trim().toLowerCase() },
  ];
}

/** How far a password is from easy to guess, in four steps; length is what counts. */
export function passwordStrength(password: string, name: string): 0 | 1 | 2 | 3 {
  if (!passwordHints(password, name).every((hint) => hint.isMet)) return 0;
  const length = [...password].length;
  if (length >= LONG) return 3;
  return length >= 16 || new Set(password).size >= 10 ? 2 : 1;
}
