import type { RunId } from '#contracts';
import type { FromExecutor, RunSpec, SandboxReport } from './executor/protocol.js';

/** What the executor tells about one run, in order; `ended` is last and comes exactly once, also when the executor itself dies. */
export type RunSignal = Extract<FromExecutor, { runId: RunId }>;

/** Starts, contains, bounds and redacts runs, outside the server process. */
export abstract class Executor {
  /** Waits until the executor has probed this machine. */
  abstract report(): Promise<SandboxReport>;
  /** Throws EXECUTOR_UNAVAILABLE when nothing was started; after it returns, `signal` gets an `ended`. */
  abstract start(spec: RunSpec, signal: (signal: RunSignal) => void): void;
  abstract pause(runId: RunId): void;
  abstract resume(runId: RunId): void;
  /** TERM, CONT, grace, then KILL of everything that is left. */
  abstract cancel(runId: RunId): void;
  /** Exact values that must never leave the executor. */
  abstract protect(secrets: readonly string[]): void;
}
