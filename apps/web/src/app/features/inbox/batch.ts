import type { Answer, Ask, AskId, Plan, Principal } from '#contracts';
import type { ApiError } from '../../core/api.js';
import { mayDecide } from '../../core/may-decide.js';
import type { WordKey } from '../../core/words.js';
import { needsSecondStep } from './dock-state.js';

/** Why an ask cannot be decided together with others; undefined when it can. Pure. */
export function leftOut(ask: Ask, me: Principal | null, plan?: Plan): WordKey | undefined {
  if (ask.status !== 'open') return 'batch_decided';
  if (mayDecide(ask, me) !== 'yes') return 'batch_not_yours';
  if (ask.kind !== 'plan_approval') return 'batch_kind';
  return needsSecondStep(ask, plan?.decision.stages) ? 'batch_high' : undefined;
}

/** How the vote on one ask of a batch went; no entry before it is sent. */
export type BatchResult = { readonly kind: 'sending' | 'sent' } | { readonly kind: 'failed'; readonly failure: ApiError };

/** Sends one vote after the other, so that each is counted, refused and recorded by itself. */
export async function voteEach(
  asks: readonly Ask[],
  vote: (ask: Ask) => Promise<BatchResult>,
  tell: (id: AskId, result: BatchResult) => void,
): Promise<void> {
  for (const ask of asks) {
    tell(ask.id, { kind: 'sending' });
    tell(ask.id, await vote(ask));
  }
}

export type BatchStep = 'idle' | 'reject' | Answer;
