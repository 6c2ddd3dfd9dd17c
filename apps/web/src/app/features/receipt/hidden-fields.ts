const MARKER = '[REDACTED FOR SHARING]';

export interface SharedFields {
  readonly hidden: readonly string[];
  readonly shown: readonly { readonly field: string; readonly value: string }[];
}

/** Which fields of a share-safe copy are hidden and what the others give away, with their paths. Pure. */
export function hiddenFields(file: unknown): SharedFields {
  const hidden: string[] = [];
  const shown: { readonly field: string; readonly value: string }[] = [];
  const visit = (value: unknown, path: string): void => {
    if (value === MARKER || (Array.isArray(value) && value.length === 1 && value[0] === MARKER)) hidden.push(path);
    else if (Array.isArray(value))
      value.forEach((part, index) => {
        visit(part, `${path}.${String(index)}`);
      });
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) visit(part, path === '' ? key : `${path}.${key}`);
    else shown.push({ field: path, value: String(value) });
  };
  if (typeof file === 'object' && file !== null) {
    const { receipt, evidence } = file as Readonly<Record<string, unknown>>;
    visit(receipt ?? {}, 'receipt');
    visit(evidence ?? {}, 'evidence');
  }
  return { hidden, shown };
}
