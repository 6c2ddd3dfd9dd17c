import { createHash } from 'node:crypto';
import type { StreamFact } from '#contracts';
import type { RedactionStream } from '#receipts/core';
import { KeptText } from './kept-text.js';
import { Utf8Stream } from './utf8-stream.js';

/** How often the kept size a stream may bring before the run is killed. */
const HARD_CAP = 16;

/**
 * One output stream of a run, from raw bytes to redacted text: counts and hashes what the program wrote,
 * decodes, redacts, keeps head and tail. Nothing leaves that has not passed the redaction.
 */
export class StreamOutput {
  readonly #hash = createHash('sha256');
  readonly #utf8 = new Utf8Stream();
  readonly #kept: KeptText;
  readonly #hardCap: number;
  #bytes = 0;
  #half = '';

  constructor(
    maxBytes: number,
    private readonly redaction: RedactionStream,
    private readonly emit: (text: string) => void,
  ) {
    this.#kept = new KeptText(maxBytes);
    this.#hardCap = maxBytes * HARD_CAP;
  }

  get overflowed(): boolean {
    return this.#bytes > this.#hardCap;
  }

  get truncated(): boolean {
    return this.#kept.truncated;
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    this.#pass(this.redaction.push(this.#utf8.push(chunk)));
  }

  /** Shows what was held back for the rest of a line: a question waits for its answer. A secret that comes in two parts is not seen then. */
  settle(): void {
    this.#pass(this.redaction.flush());
  }

  finish(): { readonly text: string; readonly fact: StreamFact } {
    this.#pass(this.redaction.push(this.#utf8.end()));
    this.#pass(this.redaction.flush());
    this.#keep(this.#half);
    const { text, kept } = this.#kept.finish();
    const fact = {
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
      kept,
      redactions: this.redaction.count,
      invalidUtf8: this.#utf8.invalid,
    };
    return { text, fact };
  }

  /** The redaction may end a piece inside a surrogate pair; its first half waits for the second. */
  #pass(text: string): void {
    const whole = this.#half + text;
    const last = whole.charCodeAt(whole.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half = isHalf ? whole.slice(-1) : '';
    this.#keep(isHalf ? whole.slice(0, -1) : whole);
  }

  #keep(text: string): void {
    if (text === '') return;
    this.#kept.push(Buffer.from(text));
    this.emit(text);
  }
}
