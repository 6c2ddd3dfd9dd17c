const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;
/** A client of 2025-03-26 may send several messages at once; more than a few is a way around rate limits. */
const MAX_BATCH = 16;

/** Why a parsed body is refused before anything else looks at it, or undefined. Walks without recursion. */
export function refuseShape(body: unknown): string | undefined {
  if (Array.isArray(body) && body.length > MAX_BATCH) return `A batch may hold ${MAX_BATCH} messages`;
  const open: [value: object, depth: number][] = [];
  let values = 0;
  const visit = (value: unknown, depth: number): void => {
    values += 1;
    if (typeof value === 'object' && value !== null) open.push([value, depth]);
  };
  visit(body, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    if (depth > MAX_DEPTH) return `The message is nested deeper than ${MAX_DEPTH} levels`;
    for (const child of Object.values(value)) visit(child, depth + 1);
    if (values > MAX_VALUES) return `The message holds more than ${MAX_VALUES} values`;
  }
  return undefined;
}
