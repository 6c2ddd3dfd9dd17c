/** Counts a run's wall time down; stands still while the run is paused. */
export class StopWatch {
  #left: number;
  #since: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    limitMs: number,
    private readonly over: () => void,
  ) {
    this.#left = limitMs;
  }

  start(): void {
    if (this.#since !== null) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.over, Math.max(0, this.#left));
  }

  stop(): void {
    if (this.#since === null) return;
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
    this.#since = null;
  }
}
