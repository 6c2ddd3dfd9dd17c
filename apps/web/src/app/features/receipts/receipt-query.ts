/** What the list of receipts asks for; all of it stands in the address. */
export interface ReceiptQuery {
  readonly q: string;
  readonly outcome: string;
  readonly kind: string;
  readonly verdict: string;
  readonly tool: string;
  readonly workspace: string;
  /** One of `SPANS`, or empty for any time. */
  readonly time: string;
}

const DAY_MS = 86_400_000;

/** Stretches of time that end now, and the steps that a chart shows them in. */
export const SPANS = {
  day: { ms: DAY_MS, stepMs: 3_600_000 },
  week: { ms: 7 * DAY_MS, stepMs: DAY_MS / 4 },
  month: { ms: 30 * DAY_MS, stepMs: DAY_MS },
} as const;

export type Span = keyof typeof SPANS;

export const NAMES = ['q', 'outcome', 'kind', 'verdict', 'tool', 'workspace', 'time'] as const;

export function isSpan(text: string): text is Span {
  return Object.hasOwn(SPANS, text);
}

/** As the server takes it. Pure. */
export function toFilter({ time, ...others }: ReceiptQuery, now: number): Readonly<Record<string, string | number | null>> {
  return { ...others, from: isSpan(time) ? now - SPANS[time].ms : null };
}

export function isFiltered(query: ReceiptQuery): boolean {
  return NAMES.some((name) => query[name] !== '');
}
