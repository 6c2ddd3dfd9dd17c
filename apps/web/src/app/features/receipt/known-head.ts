import type { OpenedHead } from './verifier.js';

/** The last head of the ledger that this browser has checked. */
export interface KnownHead extends OpenedHead {
  readonly at: number;
}

const KEY = 'countersign.ledger';

export function knownHead(): KnownHead | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isHead(value) ? value : undefined;
  } catch {
    return undefined; // storage is closed, or holds something else
  }
}

export function rememberHead({ origin, size, rootHash }: OpenedHead, at: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ origin, size, rootHash, at }));
  } catch {
    // Storage is closed: the next look is a first one again.
  }
}

function isHead(value: unknown): value is KnownHead {
  if (typeof value !== 'object' || value === null) return false;
  const { origin, size, rootHash, at } = value as Partial<KnownHead>;
  return typeof origin === 'string' && Number.isSafeInteger(size) && typeof rootHash === 'string' && typeof at === 'number';
}
