const DAY_MS = 86_400_000;

/** Stretches of time that end now, and the steps that a chart shows them in. */
export const SPANS = {
  day: { ms: DAY_MS, stepMs: 3_600_000 },
  week: { ms: 7 * DAY_MS, stepMs: DAY_MS / 4 },
  month: { ms: 30 * DAY_MS, stepMs: DAY_MS },
} as const;

export type Span = keyof typeof SPANS;

export function isSpan(text: string): text is Span {
  return Object.hasOwn(SPANS, text);
}
