import type { OutputStream } from '#contracts';
import { cutBefore } from './utf8-stream.js';

const PIECE_BYTES = 16_384;
const DELAY_MS = 20;

interface Piece {
  readonly stream: OutputStream;
  readonly parts: Buffer[];
}

/**
 * What watchers see while a run goes on: small pieces in the order of arrival, gathered for a moment,
 * and nothing more of a stream once it has reached its cap.
 */
export class LiveOutput {
  readonly #left: Record<OutputStream, number>;
  readonly #send: (stream: OutputStream, text: string) => void;
  #waiting: Piece[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(capPerStream: number, send: (stream: OutputStream, text: string) => void) {
    this.#left = { stdout: capPerStream, stderr: capPerStream };
    this.#send = send;
  }

  push(stream: OutputStream, bytes: Buffer): void {
    const room = this.#left[stream];
    if (room === 0 || bytes.length === 0) return;
    const piece = bytes.subarray(0, cutBefore(bytes, room));
    this.#left[stream] = piece.length < bytes.length ? 0 : room - piece.length;
    const last = this.#waiting.at(-1);
    if (last?.stream === stream) last.parts.push(piece);
    else this.#waiting.push({ stream, parts: [piece] });
    this.#size += piece.length;
    if (this.#size >= PIECE_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), DELAY_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    for (const { stream, parts } of waiting) {
      for (let rest = Buffer.concat(parts); rest.length > 0;) {
        const cut = cutBefore(rest, PIECE_BYTES);
        this.#send(stream, rest.toString('utf8', 0, cut));
        rest = rest.subarray(cut);
      }
    }
  }
}
