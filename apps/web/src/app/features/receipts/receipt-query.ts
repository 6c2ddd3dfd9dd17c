import { SPANS, isSpan } from '../../shared/spans.js';

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

export const NAMES = ['q', 'outcome', 'kind', 'verdict', 'tool', 'workspace', 'time'] as const;

/** As the server takes it. Pure. */
export function toFilter({ time, ...others }: ReceiptQuery, now: number): Readonly<Record<string, string | number | null>> {
  return { ...others, from: isSpan(time) ? now - SPANS[time].ms : null };
}

export function isFiltered(query: ReceiptQuery): boolean {
  return NAMES.some((name) => query[name] !== '');
}
