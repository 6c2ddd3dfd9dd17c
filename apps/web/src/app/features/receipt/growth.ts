import type { KnownHead } from './known-head.js';
import type { OpenedHead } from './verifier.js';

/** What this browser can say about the ledger since it last looked. */
export type Growth =
  | { readonly is: 'first' }
  | { readonly is: 'same' | 'grew' | 'shrank' | 'changed' | 'other'; readonly from: KnownHead; readonly to: OpenedHead };

export interface Consistent {
  readonly hashes: readonly string[];
}

type Verify = (oldSize: number, size: number, oldRoot: string, root: string, hashes: readonly string[]) => boolean;

/** What can be told without a proof; undefined when one is needed. Pure. */
export function growthWithoutProof(from: KnownHead | undefined, to: OpenedHead): Growth | undefined {
  if (from === undefined) return { is: 'first' };
  if (from.origin !== to.origin) return { is: 'other', from, to };
  if (from.size > to.size) return { is: 'shrank', from, to };
  if (from.size === to.size) return { is: from.rootHash === to.rootHash ? 'same' : 'changed', from, to };
  return undefined;
}

export function growthWithProof(from: KnownHead, to: OpenedHead, { hashes }: Consistent, verify: Verify): Growth {
  const isRight = Array.isArray(hashes) && verify(from.size, to.size, from.rootHash, to.rootHash, hashes);
  return { is: isRight ? 'grew' : 'changed', from, to };
}

/** Whether the new head may take the place of the remembered one by itself. */
export function mayRemember({ is }: Growth): boolean {
  return is === 'first' || is === 'same' || is === 'grew';
}
