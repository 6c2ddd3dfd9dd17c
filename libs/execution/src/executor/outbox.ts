import type { FromExecutor } from './protocol.js';

const FULL_BYTES = 1_048_576;
const ROOMY_BYTES = 262_144;

/**
 * The way out of the executor. Counts what the server has not taken yet; readers of program output wait while it is full,
 * so a busy server slows programs down instead of filling memory.
 */
export class Outbox {
  #unsent = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly post: (message: FromExecutor, done: () => void) => void) {}

  get full(): boolean {
    return this.#unsent > FULL_BYTES;
  }

  send(message: FromExecutor): void {
    const size = message.type === 'output' ? message.text.length : 256;
    this.#unsent += size;
    this.post(message, () => {
      this.#unsent -= size;
      if (this.#unsent <= ROOMY_BYTES) this.#release();
    });
  }

  /** Calls back once there is room again. */
  whenRoomy(go: () => void): void {
    this.#waiting.add(go);
  }

  #release(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) go();
  }
}
