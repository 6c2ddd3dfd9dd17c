import type { Result, Stage } from '#contracts';

/** Refuses words that no program can receive or no digest can cover. What they may mean is policy's question. */
export function checkWords(stages: readonly Pick<Stage, 'argv'>[]): Result<true> {
  if (stages.length === 0 || stages.some(({ argv }) => (argv[0] ?? '') === '')) return invalid('The command names no program');
  const words = stages.flatMap(({ argv }) => argv);
  if (words.some((word) => word.includes('\0'))) return invalid('A word of the command holds a NUL character');
  if (!words.every((word) => word.isWellFormed())) return invalid('A word of the command is not valid Unicode');
  return { ok: true, value: true };
}

function invalid(message: string): Result<never> {
  return { ok: false, code: 'COMMAND_INVALID', message, details: {} };
}
