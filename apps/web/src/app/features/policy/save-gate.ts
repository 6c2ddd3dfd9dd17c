import type { PolicyCheck } from '#contracts';
import type { WordKey } from '../../core/words.js';

/** What a draft has behind it. */
export interface DraftState {
  readonly isSame: boolean;
  readonly isConflict: boolean;
  readonly isLive: boolean;
  /** The check of exactly this text; undefined while it is not checked. */
  readonly check: PolicyCheck | undefined;
  readonly isReplayed: boolean;
  /** Looser rows of that replay that nobody has opened. */
  readonly looserLeft: number;
  readonly note: string;
}

/** Why a draft cannot be saved yet, in the order in which a person gets there; undefined when it can. Pure. */
export function saveGate(draft: DraftState): WordKey | undefined {
  if (!draft.isLive) return 'save_off_away';
  if (draft.isSame) return 'save_off_same';
  if (draft.isConflict) return 'save_off_conflict';
  if (draft.check === undefined) return 'save_off_check';
  if (!draft.check.ok) return 'save_off_issues';
  if (!draft.isReplayed) return 'save_off_replay';
  if (draft.looserLeft > 0) return 'save_off_looser';
  return draft.note.trim() === '' ? 'save_off_note' : undefined;
}
