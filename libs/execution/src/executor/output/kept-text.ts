import { cutAfter, cutBefore } from './utf8-stream.js';

/** Keeps head and tail of a text within a number of bytes and counts what it leaves out. Takes valid UTF-8 only. */
export class KeptText {
  readonly #max: number;
  #head: Buffer[] = [];
  #tail: Buffer | null = null;
  #tailAt = 0;
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get truncated(): boolean {
    return this.#total > this.#max;
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#total += bytes.length;
    if (this.#tail) {
      this.#intoTail(this.#tail, bytes);
      return;
    }
    this.#head.push(bytes);
    if (this.#total > this.#max) this.#split();
  }

  /** The text, and how many bytes of the original stand in it. Our own line is ASCII: one other character doubles a long text in memory. */
  finish(): { readonly text: string; readonly kept: number } {
    const head = Buffer.concat(this.#head);
    if (!this.#tail) return { text: head.toString('utf8'), kept: head.length };
    const tail = this.#unrolled(this.#tail);
    const kept = head.length + tail.length;
    const left = this.#total - kept;
    return { text: `${head.toString('utf8')}\n[... ${left.toLocaleString('en-US')} bytes left out ...]\n${tail.toString('utf8')}`, kept };
  }

  #split(): void {
    const all = Buffer.concat(this.#head);
    const cut = cutBefore(all, Math.floor(this.#max / 2));
    this.#head = [Buffer.from(all.subarray(0, cut))];
    this.#tail = Buffer.alloc(this.#max - cut);
    this.#total = cut;
    this.push(all.subarray(cut));
  }

  /** The tail is a ring; `#tailAt` counts every byte that ever went in. */
  #intoTail(ring: Buffer, bytes: Buffer): void {
    const fresh = bytes.length > ring.length ? bytes.subarray(bytes.length - ring.length) : bytes;
    this.#tailAt += bytes.length - fresh.length;
    const start = this.#tailAt % ring.length;
    const first = Math.min(fresh.length, ring.length - start);
    fresh.copy(ring, start, 0, first);
    fresh.copy(ring, 0, first);
    this.#tailAt += fresh.length;
  }

  #unrolled(ring: Buffer): Buffer {
    if (this.#tailAt <= ring.length) return ring.subarray(0, this.#tailAt);
    const start = this.#tailAt % ring.length;
    const bytes = Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
    return bytes.subarray(cutAfter(bytes, 0));
  }
}
