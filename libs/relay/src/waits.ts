import { Injectable } from '@nestjs/common';
import type { Principal } from '#contracts';
import { AppError } from '#platform';
import { isDriven, isTerminal, needsPerson } from './core/status.js';
import { SessionBoard } from './session-board.js';
import { SessionReads, type SessionState } from './session-reads.js';
import { WorkspaceLocks } from './workspace-locks.js';

export interface Wait {
  readonly sessionId: string;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** One call holds no longer: clients and proxies give up at a minute. */
export const MAX_HOLD_MS = 50_000;
/** Moves come in bursts; a waiter looks once at what they led to. */
const SETTLE_MS = 20;

/** Owner of waits. A waiter is told when something moves; nobody asks a host again and again. */
@Injectable()
export class Waits {
  constructor(
    private readonly reads: SessionReads,
    private readonly board: SessionBoard,
    private readonly locks: WorkspaceLocks,
  ) {}

  /** Until a person is needed or everything has ended; at once where that is so already. */
  untilActionRequired(principal: Principal, wait: Wait): Promise<SessionState> {
    return this.#until(principal, wait, ({ status }) => needsPerson(status) || isTerminal(status) || status === 'idle');
  }

  /** Until the goal does not go on by itself, or a person is needed. */
  async untilGoalMoves(principal: Principal, wait: Wait): Promise<SessionState> {
    const { goal } = await this.reads.state(principal, wait.sessionId, 'relay:drive');
    if (!goal) throw new AppError('GOAL_NOT_FOUND', 'This session has no goal', { session_id: wait.sessionId });
    return this.#until(
      principal,
      wait,
      ({ status, goal: now, session }) => needsPerson(status) || (!isDriven(now) && session.status !== 'running'),
    );
  }

  async #until(principal: Principal, { sessionId, ms, signal }: Wait, isSo: (state: SessionState) => boolean): Promise<SessionState> {
    const until = performance.now() + Math.min(ms, MAX_HOLD_MS);
    const moved = new Bell();
    const leave = this.board.watch(sessionId, moved.ring); // before the first look, so that nothing is missed between
    try {
      for (;;) {
        const state = await this.reads.state(principal, sessionId, 'relay:drive');
        const left = until - performance.now();
        if (isSo(state) || left <= 0 || signal.aborted) return this.#done(state);
        await moved.heard(left, signal);
      }
    } finally {
      leave();
    }
  }

  #done(state: SessionState): SessionState {
    if (isTerminal(state.status)) this.locks.release(state.session.id);
    return state;
  }
}

/** Rung by moves, heard by one waiter. */
class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake?.();
  };

  /** Resolves when it was rung since the last time, after `ms`, or when the signal aborts. */
  async heard(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wake = (): void => {
      resolve(undefined);
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake, { once: true });
    this.#wake = (): void => {
      setTimeout(wake, SETTLE_MS);
    };
    if (this.#isRung) wake();
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
    this.#wake = undefined;
    this.#isRung = false;
  }
}
