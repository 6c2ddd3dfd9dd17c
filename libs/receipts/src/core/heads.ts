import { checkCheckpoint, type TreeHead } from './checkpoint.js';
import type { Steps } from './steps.js';

const MOST = 256;

/** Owner of the heads that were opened during one look at files: many name the same few, and each signature is checked once. */
export class Heads {
  readonly #opened = new Map<string, TreeHead | null | undefined>();

  *open(note: string, publicKey: string): Steps<TreeHead | null | undefined> {
    const name = `${publicKey} ${note}`;
    if (this.#opened.has(name)) return this.#opened.get(name);
    const head = yield* checkCheckpoint(note, publicKey);
    if (this.#opened.size >= MOST) this.#opened.clear();
    this.#opened.set(name, head);
    return head;
  }
}
