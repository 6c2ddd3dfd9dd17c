import type { Result } from '#contracts';

const MAX_LENGTH = 64;
/** Control, format (bidi, zero width), surrogate and private characters, line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

export interface ReadName {
  /** As people see it. */
  readonly name: string;
  /** What makes it unique: letter case and compatibility forms do not. */
  readonly key: string;
}

/** Reads the name of a person or token as typed. */
export function readName(typed: string): Result<ReadName> {
  const name = typed.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
  const length = Array.from(name).length;
  if (length === 0 || length > MAX_LENGTH) return refuse(`A name has 1 to ${MAX_LENGTH} characters`);
  if (INVISIBLE.test(name)) return refuse('A name holds visible characters only');
  return { ok: true, value: { name, key: name.normalize('NFKC').toLowerCase() } };
}

function refuse(message: string): Result<never> {
  return { ok: false, code: 'INPUT_INVALID', message, details: { path: 'name' } };
}
