import type { ReceiptCounts } from '#contracts';

export interface Stack {
  /** Begin of each step, oldest first. */
  readonly steps: readonly number[];
  /** What is counted, most first. */
  readonly names: readonly string[];
  /** By name, then by step. */
  readonly values: readonly (readonly number[])[];
}

/** Counts as rows of one length, with zeros where there was nothing. Pure. */
export function stacked({ items }: ReceiptCounts, { ms, stepMs }: { readonly ms: number; readonly stepMs: number }, now: number): Stack {
  const end = Math.ceil(now / stepMs) * stepMs;
  const steps = Array.from({ length: Math.round(ms / stepMs) }, (_, step) => end - ms + step * stepMs);
  const totals = new Map<string, number>();
  for (const { name, count } of items) totals.set(name, (totals.get(name) ?? 0) + count);
  const names = [...totals.keys()].sort((one, other) => (totals.get(other) ?? 0) - (totals.get(one) ?? 0));
  const counts = new Map(items.map(({ at, name, count }) => [`${name} ${String(at)}`, count]));
  return { steps, names, values: names.map((name) => steps.map((at) => counts.get(`${name} ${String(at)}`) ?? 0)) };
}
