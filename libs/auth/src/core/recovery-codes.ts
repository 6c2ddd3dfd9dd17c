import { createHmac } from 'node:crypto';
import { base32 } from './totp.js';

export const RECOVERY_CODES = 10;
/** Ten letters of base32. */
export const RECOVERY_BYTES = 7;
const LETTERS = 10;

/** A code as a person writes it down: two groups of five. */
export function recoveryCodeFrom(random: Buffer): string {
  const text = base32(random).slice(0, LETTERS).toLowerCase();
  return `${text.slice(0, LETTERS / 2)}-${text.slice(LETTERS / 2)}`;
}

/** How a code is stored and found. Keyed, since fifty bits alone could be guessed from a stolen table. */
export function recoveryHash(key: Buffer, personId: string, typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[^a-z2-7]/g, '');
  return createHmac('sha256', key).update(`${personId} ${code}`).digest('hex');
}
