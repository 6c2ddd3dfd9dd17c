import type { Effect, Mode, Outcome, Risk } from '#contracts';

/**
 * How serious one finding is, mildest first. `read` needs nobody; `work` is what a trusted workspace is for; `grave`
 * always needs a person; `never` has no way round. A mode turns a level into an outcome.
 */
export const LEVELS = ['read', 'work', 'grave', 'never'] as const;
export type Level = (typeof LEVELS)[number];

export interface RuleRow {
  readonly level: Level;
  readonly risk: Exclude<Risk, 'blocked'>;
  /** What the command does when this rule fires. */
  readonly effect?: Effect;
  /** The sentence for people; `{}` stands for the words that made the rule fire. */
  readonly says: string;
}

/**
 * What a decision is made from. The analysis finds facts and names rules; the document says how serious each rule is
 * and what each mode does about it.
 */
export interface PolicyDocument {
  readonly version: string;
  readonly outcomes: Readonly<Record<Mode, Readonly<Record<Level, Outcome>>>>;
  readonly rules: Readonly<Record<string, RuleRow>>;
  /** How many approvals an ask needs. */
  readonly quorum: number;
  readonly notRequester: boolean;
}

export function stricter(one: Level, other: Level): Level {
  return LEVELS.indexOf(one) >= LEVELS.indexOf(other) ? one : other;
}
