import type { ReceiptCheck } from '#contracts';
import { checkFile, type VerifyWith } from './check-file.js';
import { HERE } from './ed25519.js';
import { settle } from './steps.js';

/** `checkFile` where every answer is at hand. */
export function verifyFile(file: unknown, use: VerifyWith = {}): readonly ReceiptCheck[] {
  return settle(checkFile(file, use), HERE);
}
