import type { FilePin, RunId } from '#contracts';
import type { FromExecutor, RunSpec, SandboxReport, TerminalSize } from './executor/protocol.js';

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
  /** What a person types into the terminal of a run; lost when the run has none, or has ended. */
  abstract input(runId: RunId, text: string): void;
  abstract resize(runId: RunId, size: TerminalSize): void;
  /** Exact values that must never leave the executor. */
  abstract protect(secrets: readonly string[]): void;
}

/** A program that a word of a command leads to. */
export interface FoundProgram {
  /** Real absolute path. */
  readonly path: string;
  /** Machine code or a script that names its interpreter. Anything else would reach a shell. */
  readonly isProgram: boolean;
}

/** Looks at files and folders of this machine. Changes none. */
export abstract class Files {
  /** Real path of an existing folder. */
  abstract realFolder(path: string): string | undefined;
  /** Identity of a folder: path, device and inode. What lies in it does not count. */
  abstract pinFolder(path: string): FilePin | undefined;
  /** Identity of a regular file; with its digest when asked. */
  abstract pinFile(path: string, withDigest: boolean): Promise<FilePin | undefined>;
  /** The executable file that a word means: a path from `cwd`, or a name in one of the folders. */
  abstract findProgram(word: string, cwd: string, folders: readonly string[]): FoundProgram | undefined;
  abstract makeFolder(path: string): void;
  /** First bytes of a regular file reached without any link, and its whole size. */
  abstract head(path: string, maxBytes: number): { readonly bytes: Uint8Array; readonly size: number } | undefined;
}

/** Who a process is, beyond a number that is used again. */
export interface ProcessIdentity {
  /** Boot, host and process namespace: where the pid means something. */
  readonly place: string;
  readonly pid: number;
  /** Start time in clock ticks; null where the system does not tell. */
  readonly processStart: string | null;
}

/** Looks at processes of this machine, and ends what a dead owner left behind. */
export abstract class Processes {
  abstract self(): ProcessIdentity;
  /** Undefined: cannot be told from here. */
  abstract isAlive(identity: ProcessIdentity): boolean | undefined;
  /** Kills the group that this very process leads. False: it is gone, or the pid belongs to another by now. */
  abstract killGroup(pid: number, processStart: string): boolean;
  /** Kills what carries the mark of this run, as runs without a process namespace do. */
  abstract killMarked(runId: RunId): void;
}
