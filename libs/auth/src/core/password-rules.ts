import type { Result } from '#contracts';

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;
const MIN_DIFFERENT = 5;

/** Length is what makes a password strong; the two other rules catch what length alone lets through. */
export function checkPassword(typed: string, nameKey: string): Result<string> {
  const password = toPassword(typed);
  const characters = Array.from(password);
  if (characters.length < MIN_PASSWORD_LENGTH) return refuse(`A password has at least ${MIN_PASSWORD_LENGTH} characters`);
  if (characters.length > MAX_PASSWORD_LENGTH) return refuse(`A password has at most ${MAX_PASSWORD_LENGTH} characters`);
  if (new Set(characters).size < MIN_DIFFERENT) return refuse(`A password has at least ${MIN_DIFFERENT} different characters`);
  if (password.toLowerCase() === nameKey) return refuse('A password is not the name');
  return { ok: true, value: password };
}

/** The same password typed on another keyboard gives the same text. */
export function toPassword(typed: string): string {
  return typed.normalize('NFC');
}

function refuse(message: string): Result<never> {
  return { ok: false, code: 'INPUT_INVALID', message, details: { path: 'password' } };
}
