import type { ReceiptFile } from '#contracts';
import type { WordKey } from '../../core/words.js';

/** The one sentence of a receipt, made of its facts: who, what, after whom. */
export interface Sentence {
  readonly word: WordKey;
  readonly values: Readonly<Record<string, string>>;
}

/** Pure. Kinds other than a run carry their own sentence, written by the server from facts. */
export function sentenceOf(file: ReceiptFile): Sentence | undefined {
  const { evidence, receipt } = file;
  if (receipt === null || evidence.kind !== 'run') return undefined;
  const who = evidence.requester.name;
  const stages = evidence.stages?.length ?? 1;
  const signers = (evidence.approvals ?? []).filter((one) => one.answer === 'approve' && one.channel !== 'policy').map((one) => one.name);
  const values = { who, n: String(stages), signers: signers.join(', ') };
  if (signers.length > 0) return { word: stages > 1 ? 'sentence_signed_stages' : 'sentence_signed', values };
  return { word: stages > 1 ? 'sentence_policy_stages' : 'sentence_policy', values };
}
