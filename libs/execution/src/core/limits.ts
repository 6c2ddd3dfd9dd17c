import type { Limits, Result } from '#contracts';

/** What a caller may wish for; both are optional. */
export type WishedLimits = Partial<Limits>;

/** The bounds of one plan: an hour, and what the server keeps per stream. */
const MAX_TIMEOUT_MS = 3_600_000;
const MIN_TIMEOUT_MS = 100;
const MIN_OUTPUT_BYTES = 1_024;

/** Fills in the defaults. A wish outside the bounds is refused, never quietly changed. */
export function boundedLimits(wished: WishedLimits, defaults: Limits): Result<Limits> {
  const timeoutMs = wished.timeoutMs ?? defaults.timeoutMs;
  const maxOutputBytes = wished.maxOutputBytes ?? defaults.maxOutputBytes;
  return (
    refusal('timeoutMs', timeoutMs, MIN_TIMEOUT_MS, MAX_TIMEOUT_MS) ??
    refusal('maxOutputBytes', maxOutputBytes, MIN_OUTPUT_BYTES, defaults.maxOutputBytes) ?? {
      ok: true,
      value: { timeoutMs, maxOutputBytes },
    }
  );
}

function refusal(limit: keyof Limits, value: number, min: number, max: number): Result<never> | undefined {
  if (Number.isInteger(value) && value >= min && value <= max) return undefined;
  return {
    ok: false,
    code: 'LIMITS_INVALID',
    message: `${limit} must be a whole number from ${min} to ${max}`,
    details: { limit, min, max },
  };
}
