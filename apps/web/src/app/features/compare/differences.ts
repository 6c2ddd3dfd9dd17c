export interface Difference {
  /** JSON Pointer inside the receipt. */
  readonly field: string;
  /** Undefined where it is absent. */
  readonly one: string | undefined;
  readonly two: string | undefined;
}

/** What always differs, and says nothing about what was done. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...['id', 'plan_id', 'session_id', 'run_id', 'plan_digest', 'signature', 'command_sha256', 'at', 'started_at', 'finished_at', 'by'],
  ...['duration_ms', 'durationMs', 'usage', 'sha256', 'ino', 'mtimeMs'],
]);

/** Where two receipts say something different, in the order of the first. Pure. */
export function differences(one: unknown, two: unknown): readonly Difference[] {
  const [first, second] = [flat(one), flat(two)];
  const fields = [...new Set([...first.keys(), ...second.keys()])];
  return fields
    .filter((field) => first.get(field) !== second.get(field))
    .map((field) => ({ field, one: first.get(field), two: second.get(field) }));
}

function flat(file: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) fields.set(path, value.join('\n'));
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) if (!ALWAYS.has(name)) visit(part, `${path}/${name}`);
    } else fields.set(path, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const { receipt, evidence } = (file ?? {}) as { readonly receipt?: unknown; readonly evidence?: unknown };
  visit(receipt ?? {}, '/receipt');
  visit(evidence ?? {}, '/evidence');
  return fields;
}
