import type { CallFact, LogFacts } from './log-facts.js';

/** What a goal may use up. Null: no bound. Rounds have their bound in the host. */
export interface GoalBudget {
  readonly maxTokens: number | null;
  readonly maxMinutes: number | null;
}

export interface GoalUse {
  readonly tokens: number;
  readonly minutes: number;
}

export type PauseReason = 'tokens' | 'minutes' | 'failures' | 'loop';

export interface Verdict {
  readonly reason: PauseReason;
  /** In words, for the person who is asked. */
  readonly words: string;
}

const FAILURES = 5;
const REPEATS = 6;

/** Why a goal should stand still until a person has looked, or undefined. */
export function verdictOn(budget: GoalBudget, use: GoalUse, calls: readonly CallFact[]): Verdict | undefined {
  return overBudget(budget, use) ?? repeatedFailure(calls) ?? loop(calls);
}

/** What a goal has used up since it began, or since a person let it go on. */
export function useOf(facts: Pick<LogFacts, 'tokens'>, tokensBefore: number, since: number, now: number): GoalUse {
  return { tokens: facts.tokens - tokensBefore, minutes: Math.floor((now - since) / 60_000) };
}

function overBudget({ maxTokens, maxMinutes }: GoalBudget, use: GoalUse): Verdict | undefined {
  if (maxTokens !== null && use.tokens >= maxTokens)
    return { reason: 'tokens', words: `It has used ${String(use.tokens)} of ${String(maxTokens)} tokens.` };
  if (maxMinutes !== null && use.minutes >= maxMinutes)
    return { reason: 'minutes', words: `It has run for ${String(use.minutes)} of ${String(maxMinutes)} minutes.` };
  return undefined;
}

/** The same call fails again and again, with nothing that worked between. */
function repeatedFailure(calls: readonly CallFact[]): Verdict | undefined {
  const last = calls.filter(({ result }) => result !== null).slice(-FAILURES);
  const [first] = last;
  const isSame = last.length === FAILURES && last.every((call) => call.result?.isError === true && call.name === first?.name);
  return isSame
    ? { reason: 'failures', words: `${String(FAILURES)} calls of ${first?.name ?? 'a tool'} in a row have failed.` }
    : undefined;
}

/** The same call with the same answer, again and again: nothing comes of it. */
function loop(calls: readonly CallFact[]): Verdict | undefined {
  const last = calls.filter(({ result }) => result !== null).slice(-REPEATS);
  const [first] = last;
  const isLoop =
    last.length === REPEATS &&
    last.every(
      ({ name, arguments: written, result }) => name === first?.name && written === first.arguments && result?.text === first.result?.text,
    );
  return isLoop
    ? { reason: 'loop', words: `The same call of ${first?.name ?? 'a tool'} was made ${String(REPEATS)} times with the same answer.` }
    : undefined;
}
