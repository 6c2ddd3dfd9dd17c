import type { OutputChunk, OutputStream } from '#contracts';

const MAX_CHUNK_LENGTH = 65_536;

/** Collects the live output of one run and cuts it into numbered chunks. Bounded: beyond `maxLength` it only says that more came. */
export class OutputLog {
  readonly #pending: { stream: OutputStream; text: string; at: number }[] = [];
  #seq = 0;
  #length = 0;
  #isFull = false;

  constructor(private readonly maxLength: number) {}

  get lastSeq(): number {
    return this.#seq;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  push(stream: OutputStream, text: string, at: number): void {
    if (this.#isFull || text === '') return;
    this.#length += text.length;
    if (this.#length > this.maxLength) {
      this.#isFull = true;
      this.#pending.push({ stream, text: '\n[more output is not shown live; the receipt has the end of it]\n', at });
      return;
    }
    for (let start = 0; start < text.length;) {
      const end = cut(text, start);
      this.#add(stream, text.slice(start, end), at);
      start = end;
    }
  }

  /** Everything that came since the last call, numbered. */
  take(): readonly OutputChunk[] {
    return this.#pending.splice(0).map((piece) => ({ seq: (this.#seq += 1), ...piece }));
  }

  #add(stream: OutputStream, text: string, at: number): void {
    const last = this.#pending.at(-1);
    if (last?.stream === stream && last.text.length + text.length <= MAX_CHUNK_LENGTH) last.text += text;
    else this.#pending.push({ stream, text, at });
  }
}

/** End of the next piece; never between the halves of a surrogate pair. */
function cut(text: string, start: number): number {
  const end = Math.min(start + MAX_CHUNK_LENGTH, text.length);
  const isHigh = end < text.length && text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff;
  return isHigh ? end - 1 : end;
}
