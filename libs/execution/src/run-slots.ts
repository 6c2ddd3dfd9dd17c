import type { PrincipalId } from '#contracts';
import { FairQueue } from './core/fair-queue.js';

/** More at once would only make each of them slower. */
export const MAX_RUNS = 64;
/** Sessions bound what one owner can have waiting; this bounds all of them together. */
const MAX_WAITING = 1_024;

/** What happens when the turn has come. */
export type Turn = () => void;

/** Owner of the places in which runs of this process go on at once, and of the line of those that wait for one. In memory only. */
export class RunSlots {
  #free: number;
  readonly #line = new FairQueue<Turn>();

  constructor(max = MAX_RUNS) {
    this.#free = max;
  }

  /** No more may even wait. */
  get isOverrun(): boolean {
    return this.#line.size >= MAX_WAITING;
  }

  /** Takes a free place, unless somebody waits for one. */
  take(): boolean {
    if (this.#free === 0 || this.#line.size > 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Gives a place back: it is the next one's at once. */
  release(): void {
    const turn = this.#line.next();
    if (turn) turn();
    else this.#free += 1;
  }

  /** Waits in line; the turn comes at once when a place has become free in between. */
  wait(owner: PrincipalId, turn: Turn): void {
    if (this.take()) turn();
    else this.#line.add(owner, turn);
  }

  /** False: its turn has come already. */
  leave(turn: Turn): boolean {
    return this.#line.remove(turn);
  }

  ahead(turn: Turn): number | null {
    return this.#line.ahead(turn);
  }
}
