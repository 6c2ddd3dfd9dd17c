import type { Answer, Ask, Effect, Principal, StageFacts } from '#contracts';
import { mayDecide } from '../../core/may-decide.js';
import type { MayDecide } from '../../core/may-decide.js';

/** What the person is doing in the dock. The server's state is never kept here. */
export type DockStep = 'idle' | 'second' | 'reject' | 'edit' | Answer;

/** What the dock shows: how it ended, why deciding is off, or where the decision stands. */
export type DockView =
  | { readonly kind: 'closed' }
  | { readonly kind: 'off'; readonly why: Exclude<MayDecide, 'yes' | 'closed'> | 'away' | 'unseen' }
  | { readonly kind: 'ready' | 'second' | 'reject' | 'edit' }
  | { readonly kind: 'sending'; readonly answer: Answer };

export interface DockFacts {
  readonly ask: Ask;
  readonly me: Principal | null;
  /** False while the page's facts may be old. */
  readonly isFresh: boolean;
  /** True when the plan is drawn and its digest is the one that the ask names. */
  readonly isSeen: boolean;
  readonly step: DockStep;
}

/** Pure: the same facts always give the same dock. */
export function dockView({ ask, me, isFresh, isSeen, step }: DockFacts): DockView {
  const may = mayDecide(ask, me);
  if (may === 'closed') return { kind: 'closed' };
  if (may !== 'yes') return { kind: 'off', why: may };
  if (step === 'approve' || step === 'deny') return { kind: 'sending', answer: step };
  if (!isFresh) return { kind: 'off', why: 'away' };
  if (!isSeen) return { kind: 'off', why: 'unseen' };
  return { kind: step === 'idle' ? 'ready' : step };
}

const DANGEROUS: ReadonlySet<Effect> = new Set(['execute_inline', 'privilege', 'process']);

/** High risk is signed in a second step; so is what runs inline code, raises rights, or was not understood, whatever its risk. */
export function needsSecondStep(ask: Pick<Ask, 'risk'>, facts: readonly StageFacts[] = []): boolean {
  if (ask.risk === 'high' || ask.risk === 'blocked') return true;
  return facts.some((stage) => !stage.understood || stage.effects.some((effect) => DANGEROUS.has(effect)));
}

/** No press counts this soon after the dock changed under the finger. */
export const GUARD_MS = 400;
/** The signing button of the second step is live only after this. */
export const SIGN_AFTER_MS = 1000;
