import type { Mode, Outcome, Risk } from '#contracts';

/** How serious one finding is, mildest first. A mode turns it into an outcome. */
export const LEVELS = ['read', 'work', 'grave', 'never'] as const;
export type Level = (typeof LEVELS)[number];

export interface RuleRow {
  readonly level: Level;
  readonly risk: Exclude<Risk, 'blocked'>;
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
