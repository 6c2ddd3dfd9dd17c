import type { Stage } from '#contracts';
import type { RuleId } from './rules.js';

export const MAX_STAGES = 16;
export const MAX_WORDS = 256;
export const MAX_WORD_BYTES = 32 * 1024;
export const MAX_TOTAL_BYTES = 128 * 1024;

export interface LimitHit {
  readonly rule: RuleId;
  readonly reason: string;
}

/** The first cap that a command breaks. A cap refuses; it never leads to a weaker decision. */
export function limitHit(stages: readonly Pick<Stage, 'argv' | 'redirects'>[]): LimitHit | null {
  if (stages.length > MAX_STAGES) return { rule: 'limit.stages', reason: `The command has more than ${MAX_STAGES} stages.` };
  const words = stages.flatMap(({ argv, redirects }) => [...argv, ...redirects.map(({ path }) => path)]);
  if (words.length > MAX_WORDS) return { rule: 'limit.words', reason: `The command has more than ${MAX_WORDS} words.` };
  const sizes = words.map((word) => Buffer.byteLength(word));
  if (sizes.some((size) => size > MAX_WORD_BYTES)) {
    return { rule: 'limit.word-size', reason: `A word of the command is longer than ${MAX_WORD_BYTES / 1024} KiB.` };
  }
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_TOTAL_BYTES) {
    return { rule: 'limit.total-size', reason: `The command is longer than ${MAX_TOTAL_BYTES / 1024} KiB in all.` };
  }
  return null;
}
