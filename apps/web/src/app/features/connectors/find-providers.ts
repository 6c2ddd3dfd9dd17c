import type { ConnectorAuthType, ProviderRow, ProviderState } from '#contracts';

export interface ProviderQuery {
  readonly text: string;
  readonly category: string;
  readonly auth: ConnectorAuthType | '';
  readonly state: ProviderState | '';
}

/** A row with what a search looks through, folded once. */
export interface SearchedProvider extends ProviderRow {
  readonly haystack: string;
}

export function searched(rows: readonly ProviderRow[]): readonly SearchedProvider[] {
  return rows.map((row) => ({
    ...row,
    haystack: [row.name, row.service, ...row.categories.map(({ name }) => name)].join('\n').toLowerCase(),
  }));
}

/** Rows that fit, in the order in which they came. Pure. */
export function found(rows: readonly SearchedProvider[], { text, category, auth, state }: ProviderQuery): readonly SearchedProvider[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter(
    (row) =>
      words.every((word) => row.haystack.includes(word)) &&
      (category === '' || row.categories.some(({ id }) => id === category)) &&
      (auth === '' || row.authTypes.includes(auth)) &&
      (state === '' || row.state === state),
  );
}

/** Categories that any row has, by name. */
export function categoriesOf(rows: readonly ProviderRow[]): readonly { readonly id: string; readonly name: string }[] {
  const all = new Map(rows.flatMap(({ categories }) => categories.map((one) => [one.id, one] as const)));
  return [...all.values()].sort((a, b) => a.name.localeCompare(b.name));
}
