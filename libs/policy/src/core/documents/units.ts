const DURATION = /^(\d{1,7})(ms|s|m|h|d)$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SIZE = /^(\d{1,9})(B|KiB|MiB)$/;
const UNIT_BYTES = { B: 1, KiB: 1_024, MiB: 1_048_576 } as const;

/** Milliseconds of a text such as `30m`; undefined when it is none. */
export function durationOf(text: string): number | undefined {
  const [, count = '', unit = ''] = DURATION.exec(text) ?? [];
  return count === '' ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]; // the expression allows no other
}

/** Bytes of a text such as `64KiB`; undefined when it is none. */
export function sizeOf(text: string): number | undefined {
  const [, count = '', unit = ''] = SIZE.exec(text) ?? [];
  return count === '' ? undefined : Number(count) * UNIT_BYTES[unit as keyof typeof UNIT_BYTES]; // the expression allows no other
}
