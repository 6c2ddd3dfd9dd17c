import type { PublicKey, ReceiptFile } from '#contracts';
import { fingerprintOf } from './public-key.js';
import type { Trust, TrustedKey } from './trust.js';

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

/**
 * Whether the keys that a reader named let this key have signed a ledger of that many entries; undefined when they do, else why
 * not. What a bundle says of its own keys does not count here. A key that the reader does not know may follow from one that was
 * still in use when they wrote it down: one that is revoked, or has handed over, has no other successors than those they know.
 */
export function headIssue(
  head: PublicKey,
  size: number,
  chain: readonly PublicKey[],
  { keys = [], fingerprints = [] }: Trust,
): string | undefined {
  const known = keys.find(({ id }) => id === head.id);
  if (known && isRevoked(known)) return `Key ${head.id} is revoked, so it vouches for nothing; ask for the bundle again`;
  if (known) return covers(known, size) ? undefined : `Key ${head.id} may not sign a ledger of ${String(size)} entries`;
  const isInUse = ({ id, publicKey }: PublicKey): boolean =>
    keys.some((key) => key.id === id && key.publicKey === publicKey && !isRevoked(key) && (key.lastIndex ?? null) === null) ||
    (fingerprints.includes(fingerprintOf(publicKey)) && keys.every((key) => key.id !== id));
  return chain.some(isInUse) ? undefined : `Key ${head.id} does not follow from a trusted key that is still in use`;
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
