import type { PublicKey, PublicKeyInfo, ReceiptFile } from '#contracts';

/** A key that is trusted; with its place in the ledger where that is known. */
export type TrustedKey = PublicKey & Partial<Pick<PublicKeyInfo, 'firstIndex' | 'lastIndex' | 'revokedIndex'>>;

/**
 * Whether the order of the ledger lets these keys have signed this file; undefined when it does, else why not. Claimed times
 * do not count. A revoked key vouches for nothing by itself: whoever holds it can sign a ledger of their own. What it signed
 * before stays valid where a key that is not revoked vouches for the ledger.
 */
export function orderIssue({ proof: { key, ledger } }: ReceiptFile, trusted: readonly TrustedKey[]): string | undefined {
  const infoOf = ({ id }: PublicKey): TrustedKey | undefined => trusted.find((candidate) => candidate.id === id);
  const signer = infoOf(key);
  const isShared = ledger.digests !== undefined;
  if (signer && isShared && isRevoked(signer)) return `Key ${key.id} is revoked, and a file made for sharing has no place of its own`;
  if (signer && !isShared && !covers(signer, ledger.index)) return `Key ${key.id} may not sign entry ${String(ledger.index)}`;
  const head = infoOf(ledger.checkpointKey ?? key);
  if (!head || !ledger.inclusion) return signer && isRevoked(signer) ? unproven(signer) : undefined;
  if (isRevoked(head)) return unproven(head);
  return covers(head, ledger.inclusion.treeSize)
    ? undefined
    : `Key ${head.id} may not sign a ledger of ${String(ledger.inclusion.treeSize)} entries`;
}

/** A key signs the entries from its first to its last, and the heads of ledgers of as many entries. */
function covers({ firstIndex = 0, lastIndex = null }: TrustedKey, place: number): boolean {
  return place >= firstIndex && (lastIndex === null || place <= lastIndex);
}

function isRevoked({ revokedIndex = null }: TrustedKey): boolean {
  return revokedIndex !== null;
}

function unproven({ id }: TrustedKey): string {
  return `Key ${id} is revoked, so it proves nothing about the ledger; ask for the file again`;
}
