import type { Decision, Stage } from '#contracts';

/** What was found for the first word of a stage. */
export type Found = { readonly isProgram: boolean } | undefined;

/**
 * Adds what the file system says to what policy says. A tool that is not installed is only named: the plan stands and may
 * be shown, it just cannot run. A text file without an interpreter line is denied, because the system would hand it to a shell.
 */
export function withExecutables(decision: Decision, stages: readonly Stage[], found: readonly Found[]): Decision {
  const words = stages.map(({ argv: [word = ''] }) => word);
  const missing = words
    .filter((_, index) => found[index] === undefined)
    .map((word) => `${word} is not installed here, so the plan cannot run.`);
  const shapeless = words
    .filter((_, index) => found[index]?.isProgram === false)
    .map((word) => `${word} is neither machine code nor a script that names its interpreter; a shell would run it.`);
  const named: Decision = {
    ...decision,
    reasons: [...decision.reasons, ...missing, ...shapeless],
    rules: [...decision.rules, ...missing.map(() => 'executable.missing'), ...shapeless.map(() => 'executable.format')],
  };
  if (shapeless.length === 0) return named;
  const { base } = named;
  return { ...named, outcome: 'deny', risk: 'blocked', ...(base && { base: { ...base, outcome: 'deny', risk: 'blocked' } }) };
}
