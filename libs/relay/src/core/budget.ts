/** How much one answer holds. */
export interface Budget {
  readonly items: number;
  readonly chars: number;
}

export const DEFAULT_BUDGET: Budget = { items: 50, chars: 20_000 };

export interface Cut<T> {
  readonly items: readonly T[];
  readonly truncated: boolean;
}

/** The first `chars` of a text, never half of a surrogate pair. */
export function cutText(text: string, chars: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= chars) return { text, truncated: false };
  const last = text.charCodeAt(chars - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars;
  return { text: text.slice(0, end), truncated: true };
}

/** The newest items that fit both bounds, oldest of them first. One item is always told, cut to what fits. */
export function newestWithin<T>(
  items: readonly T[],
  budget: Budget,
  textOf: (item: T) => string,
  withText: (item: T, text: string) => T,
): Cut<T> {
  const kept: T[] = [];
  let left = budget.chars;
  for (let place = items.length - 1; place >= 0 && kept.length < budget.items; place -= 1) {
    const item = items[place] as T; // within bounds
    const text = textOf(item);
    if (text.length > left) {
      if (kept.length === 0) kept.push(withText(item, cutText(text, left).text));
      break;
    }
    left -= text.length;
    kept.push(item);
  }
  return { items: kept.reverse(), truncated: kept.length < items.length || (kept.length === 1 && left === 0) };
}
