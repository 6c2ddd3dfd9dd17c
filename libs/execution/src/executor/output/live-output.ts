import type { OutputStream } from '#contracts';
import { cutBefore } from './utf8-stream.js';

const PIECE_BYTES = 16_384;
const DELAY_MS = 20;

interface Piece {
  readonly stream: OutputStream;
  readonly texts: string[];
}

/**
 * What watchers see while a run goes on: small pieces in the order of arrival, gathered for a moment,
 * and nothing more of a stream once it has reached its cap.
 */
export class LiveOutput {
  readonly #left: Record<OutputStream, number>;
  #waiting: Piece[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    capPerStream: number,
    private readonly send: (stream: OutputStream, text: string) => void,
  ) {
    this.#left = { stdout: capPerStream, stderr: capPerStream };
  }

  push(stream: OutputStream, text: string): void {
    const room = this.#left[stream];
    if (room === 0 || text === '') return;
    const size = Buffer.byteLength(text);
    this.#left[stream] = Math.max(0, room - size);
    const last = this.#waiting.at(-1);
    const fitting = size <= room ? text : cut(text, room);
    if (last?.stream === stream) last.texts.push(fitting);
    else this.#waiting.push({ stream, texts: [fitting] });
    this.#size += size;
    if (this.#size >= PIECE_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), DELAY_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    for (const { stream, texts } of waiting) {
      for (let rest = Buffer.from(texts.join('')); rest.length > 0;) {
        const at = cutBefore(rest, PIECE_BYTES);
        this.send(stream, rest.toString('utf8', 0, at));
        rest = rest.subarray(at);
      }
    }
  }
}

function cut(text: string, bytes: number): string {
  const all = Buffer.from(text);
  return all.toString('utf8', 0, cutBefore(all, bytes));
}
