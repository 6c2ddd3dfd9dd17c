import type { ReceiptCheck } from '#contracts';
import type { WordKey } from '../../core/words.js';

/** What the console says about a receipt after it has checked it. */
export type Verdict = 'verified' | 'broken' | 'unproved';

const BINDING: ReadonlySet<string> = new Set(['schema', 'key', 'signature', 'statement', 'leaf', 'inclusion']);

const NAMES: Readonly<Record<string, WordKey>> = {
  form: 'check_form',
  schema: 'check_schema',
  agreement: 'check_agreement',
  hmac: 'check_hmac',
  key: 'check_key',
  signature: 'check_signature',
  statement: 'check_statement',
  leaf: 'check_leaf',
  inclusion: 'check_inclusion',
  checkpoint: 'check_checkpoint',
};

/** Verified only when nothing failed and everything that binds the content was really checked. Pure. */
export function verdictOf(checks: readonly ReceiptCheck[]): Verdict {
  if (checks.some((check) => check.ok === false)) return 'broken';
  const passed = new Set(checks.filter((check) => check.ok === true).map((check) => check.name));
  return [...BINDING].every((name) => passed.has(name)) ? 'verified' : 'unproved';
}

export function firstBroken(checks: readonly ReceiptCheck[]): ReceiptCheck | undefined {
  return checks.find((check) => check.ok === false);
}

export function nameOfCheck(name: string): WordKey | undefined {
  return NAMES[name];
}
