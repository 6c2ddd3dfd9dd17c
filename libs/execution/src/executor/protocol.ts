import type { OutputStream, RunId, RunOutcome, SandboxFacts, Stage, StageResult, StreamFact } from '#contracts';

/** One stage as it will be spawned: absolute executable, final argv (hardening included), no shell. */
export interface StageSpec {
  readonly join: Stage['join'];
  readonly redirects: Stage['redirects'];
  /** Real absolute path of the program. */
  readonly executable: string;
  /** `argv[0]` as the program sees it, then its arguments. */
  readonly argv: readonly string[];
}

/** What the run may touch; the sandbox provider enforces as much of it as it can. */
export interface SandboxWish {
  readonly workspaceRoot: string;
  readonly workspaceWritable: boolean;
  readonly gitWritable: boolean;
  readonly network: 'none' | 'open';
  /** Absolute paths that must not be readable: data folder, credential folders. */
  readonly hidden: readonly string[];
}

export interface RunSpec {
  readonly runId: RunId;
  readonly stages: readonly StageSpec[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept per stream; head and tail. */
  readonly maxOutputBytes: number;
  readonly sandbox: SandboxWish;
  /** SANDBOX=required: refuse to run with less than full enforcement. */
  readonly sandboxRequired: boolean;
}

export interface RunResult {
  readonly outcome: Extract<RunOutcome, 'succeeded' | 'failed' | 'cancelled' | 'timed_out' | 'interrupted'>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly exitCode: number | null;
  /** Signal number that ended the last stage. */
  readonly signal: number | null;
  /** Redacted, valid text: head, one line that says how much was left out, tail. */
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly stdoutFact: StreamFact;
  readonly stderrFact: StreamFact;
  readonly stages: readonly StageResult[];
  readonly sandbox: SandboxFacts;
  /** `time`, `output`, or null. */
  readonly limitHit: string | null;
  readonly survivors: readonly number[];
  readonly cpuMs: number | null;
  readonly maxRssBytes: number | null;
  /** Why nothing ran, when the spawn itself failed; redacted. */
  readonly failure: string | null;
}

/** What the executor found on this machine, and what would make it better. */
export interface SandboxReport {
  readonly facts: SandboxFacts;
  /** One sentence, such as how to install bubblewrap; null when nothing would help. */
  readonly advice: string | null;
}

export type ToExecutor =
  | { readonly type: 'start'; readonly spec: RunSpec }
  | { readonly type: 'pause' | 'resume' | 'cancel'; readonly runId: RunId }
  /** Exact values that must never leave the executor. */
  | { readonly type: 'secrets'; readonly values: readonly string[] };

export type FromExecutor =
  | { readonly type: 'ready'; readonly pid: number; readonly report: SandboxReport }
  /** `processStart`: start time of `pid` in clock ticks (/proc/PID/stat field 22), so that a reused pid is not mistaken. */
  | { readonly type: 'spawned'; readonly runId: RunId; readonly pid: number; readonly processStart: string | null }
  | { readonly type: 'output'; readonly runId: RunId; readonly stream: OutputStream; readonly text: string; readonly at: number }
  | { readonly type: 'moved'; readonly runId: RunId; readonly status: 'running' | 'paused' }
  | { readonly type: 'ended'; readonly runId: RunId; readonly result: RunResult };
