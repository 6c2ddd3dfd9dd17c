const MARKER = '[REDACTED FOR SHARING]';
/** What a share-safe copy has anew because it follows from other fields; it cannot be shown. */
const REMADE: ReadonlySet<string> = new Set(['/receipt/command_sha256', '/receipt/signature']);

export interface SharedFields {
  /** JSON Pointers, as the server takes them. */
  readonly hidden: readonly string[];
  readonly shown: readonly { readonly field: string; readonly value: string }[];
}

/** Which fields of a share-safe copy are hidden, compared with the whole receipt, and what the others give away. Pure. */
export function hiddenFields(file: unknown, whole: unknown = {}): SharedFields {
  const hidden: string[] = [];
  const shown: { readonly field: string; readonly value: string }[] = [];
  const visit = (value: unknown, path: string): void => {
    if (isMarker(value)) hidden.push(path);
    else if (isRecord(value)) for (const [key, part] of Object.entries(value)) visit(part, `${path}/${key}`);
    else if (!REMADE.has(path)) shown.push({ field: path, value: String(value) });
  };
  for (const part of ['receipt', 'evidence']) {
    const [copy, original] = [partOf(file, part), partOf(whole, part)];
    visit(copy, `/${part}`);
    hidden.push(
      ...Object.keys(original)
        .filter((name) => !(name in copy))
        .map((name) => `/${part}/${name}`),
    );
  }
  return { hidden, shown };
}

function isMarker(value: unknown): boolean {
  return value === MARKER || (Array.isArray(value) && value.length === 1 && value[0] === MARKER);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function partOf(file: unknown, name: string): Readonly<Record<string, unknown>> {
  const part = isRecord(file) ? file[name] : undefined;
  return isRecord(part) ? part : {};
}
