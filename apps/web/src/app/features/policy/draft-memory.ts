/** A draft as this browser tab keeps it over a reload. */
export interface KeptDraft {
  readonly text: string;
  readonly note: string;
  /** The version that it began from, and its text then. */
  readonly from: number;
  readonly fromText: string;
}

const KEY = 'countersign.policy-draft';

export function keptDraft(): KeptDraft | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<KeptDraft> | null;
    if (typeof kept?.text !== 'string' || typeof kept.from !== 'number') return undefined;
    return { text: kept.text, note: kept.note ?? '', from: kept.from, fromText: kept.fromText ?? '' };
  } catch {
    return undefined;
  }
}

export function keepDraft(draft: KeptDraft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is closed: the draft lasts as long as the page.
  }
}
