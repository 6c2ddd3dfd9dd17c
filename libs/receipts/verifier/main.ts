import type { ReceiptCheck } from '#contracts';
import { checkFile, type VerifyWith } from '../src/core/check-file.js';
import { settleLater } from '../src/core/steps.js';
import { answerCommand, isStartedByItself } from './command.js';
import { answerSignature } from './signatures.js';

export { verifyConsistency, verifyInclusion } from '../src/core/merkle.js';
export { conclusionOf, renderChecks, standingOf } from '../src/core/render-checks.js';

const noFile = (): never => {
  throw new Error('A receipt file is read as a whole');
};

/** Checks the text of a receipt file, or its parsed value; then its form cannot be checked any more. */
export function verifyText(file: unknown, use: VerifyWith = {}): Promise<readonly ReceiptCheck[]> {
  return settleLater(checkFile(file, use), { signature: answerSignature, read: noFile });
}

/** The command line; answers with the exit code. */
export function runCommand(args: readonly string[]): Promise<number> {
  return answerCommand(args, { verifyText });
}

if (await isStartedByItself(import.meta.url)) process.exitCode = await runCommand(process.argv.slice(2));
