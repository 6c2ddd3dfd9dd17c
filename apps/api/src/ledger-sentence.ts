import type { LedgerFindings } from '#receipts';

/** What a look at the ledger found, for people. */
export function sentenceOf({ entries, deleted, checkpoints, problems }: LedgerFindings): string {
  if (problems.length > 0) return `The ledger does NOT hold:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
  const gone = deleted === 0 ? '' : ` (${String(deleted)} without a body, as retention rules say)`;
  return `The ledger holds: ${String(entries)} entries${gone} and ${String(checkpoints)} kept checkpoints verify.`;
}
