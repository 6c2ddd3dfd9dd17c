import type { ReceiptFile, ReceiptStatus, RunOutcome } from '#contracts';

/** What 1.0 says where it has no word of its own. */
export function status10(outcome: RunOutcome): ReceiptStatus {
  switch (outcome) {
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'timed_out':
      return outcome;
    case 'interrupted':
    case 'unknown':
      return 'failed';
  }
}

/** Both parts must tell the same story. */
export function checkAgreement({ receipt, evidence, proof }: ReceiptFile): readonly [ok: boolean, detail: string] {
  if ((receipt !== null) !== (evidence.kind === 'run'))
    return [false, `A receipt of kind ${evidence.kind} ${receipt ? 'has no' : 'needs a'} 1.0 part`];
  if ((receipt?.sharing_redacted === true) !== (receipt !== null && proof.ledger.digests !== undefined)) {
    return [false, 'One part says that it was made for sharing, another does not'];
  }
  if (!receipt) return [true, 'There is one part'];
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['id', receipt.id, evidence.id],
    ['plan id', receipt.plan_id, evidence.plan_id ?? receipt.plan_id],
    ['session id', receipt.session_id, evidence.session_id ?? receipt.session_id],
    ['outcome', receipt.status, isRunOutcome(evidence.outcome) ? status10(evidence.outcome) : receipt.status],
  ];
  const other = pairs.find(([, one, two]) => one !== two);
  return other ? [false, `The parts name a different ${other[0]}`] : [true, 'Both parts tell the same story'];
}

function isRunOutcome(outcome: string | undefined): outcome is RunOutcome {
  return outcome !== undefined && outcome !== 'blocked' && outcome !== 'rejected';
}
