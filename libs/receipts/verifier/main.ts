import type { ReceiptCheck } from '#contracts';
import { checkBundle, type BundleReport } from '../src/core/check-bundle.js';
import { checkFile, type VerifyWith } from '../src/core/check-file.js';
import { checkCheckpoint, type TreeHead } from '../src/core/checkpoint.js';
import { settleLater } from '../src/core/steps.js';
import { answerCommand, isStartedByItself } from './command.js';
import { answerSignature } from './signatures.js';

export { verifyConsistency, verifyInclusion } from '../src/core/merkle.js';
export { fingerprintOf } from '../src/core/public-key.js';
export { conclusionOf, renderChecks, standingOf } from '../src/core/render-checks.js';

/** The tree head of a signed note; undefined when the key did not sign it, null when this machine cannot tell. */
export function openHead(note: string, publicKey: string): Promise<TreeHead | null | undefined> {
  return settleLater(checkCheckpoint(note, publicKey), { signature: answerSignature, read: noFile });
}

const noFile = (): never => {
  throw new Error('A receipt file is read as a whole');
};

/** Checks the text of a receipt file, or its parsed value; then its form cannot be checked any more. */
export function verifyText(file: unknown, use: VerifyWith = {}): Promise<readonly ReceiptCheck[]> {
  return settleLater(checkFile(file, use), { signature: answerSignature, read: noFile });
}

/** Reads `length` bytes from `offset` on; fewer at the end. */
export type ReadBytes = (offset: number, length: number) => Uint8Array | Promise<Uint8Array>;

/** Checks a bundle of `size` bytes. */
export function verifyBundle(size: number, read: ReadBytes, use: VerifyWith = {}): Promise<BundleReport> {
  return settleLater(checkBundle(size, use), { signature: answerSignature, read: ({ offset, length }) => read(offset, length) });
}

/** Checks a bundle that a person chose in a browser. */
export function verifyBlob(blob: Blob, use: VerifyWith = {}): Promise<BundleReport> {
  return verifyBundle(blob.size, async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()), use);
}

/** The command line; answers with the exit code. */
export function runCommand(args: readonly string[]): Promise<number> {
  return answerCommand(args, { verifyText, verifyBundle });
}

if (await isStartedByItself(import.meta.url)) process.exitCode = await runCommand(process.argv.slice(2));
