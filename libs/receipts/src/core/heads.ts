import { checkCheckpoint, type TreeHead } from './checkpoint.js';
import { nodeHash, verifyInclusion } from './merkle.js';
import type { Steps } from './steps.js';

const MOST_HEADS = 256;
const MOST_NODES = 50_000;

interface OpenedHead {
  readonly publicKey: string;
  readonly head: TreeHead | null | undefined;
}

/** Where an entry stands, and what leads from it to a head. */
interface Path {
  readonly index: number;
  readonly leafHash: string;
  readonly hashes: readonly string[];
}

/**
 * Owner of what the files of one look have in common: many name the same few heads, and each signature is checked once; their
 * proofs run through the same nodes, and each is hashed once.
 */
export class Heads {
  readonly #opened = new Map<string, OpenedHead>();
  /** By the left child. */
  readonly #nodes = new Map<string, { readonly right: string; readonly hash: string }>();

  *open(note: string, publicKey: string): Steps<TreeHead | null | undefined> {
    const known = this.#opened.get(note);
    if (known?.publicKey === publicKey) return known.head;
    const head = yield* checkCheckpoint(note, publicKey);
    if (this.#opened.size >= MOST_HEADS) this.#opened.clear();
    this.#opened.set(note, { publicKey, head });
    return head;
  }

  includes({ size, rootHash }: TreeHead, { index, leafHash, hashes }: Path): boolean {
    return verifyInclusion(index, size, leafHash, hashes, rootHash, this.#hash);
  }

  readonly #hash = (left: string, right: string): string => {
    const known = this.#nodes.get(left);
    if (known?.right === right) return known.hash;
    const hash = nodeHash(left, right);
    if (this.#nodes.size >= MOST_NODES) this.#nodes.clear();
    this.#nodes.set(left, { right, hash });
    return hash;
  };
}
