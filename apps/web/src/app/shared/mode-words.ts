import type { Mode } from '#contracts';
import type { WordKey } from '../core/words.js';

/** What each mode of a workspace means, in one sentence. */
export const MODE_WORDS: Readonly<Record<Mode, WordKey>> = { inspect: 'mode_inspect', confirm: 'mode_confirm', trusted: 'mode_trusted' };
