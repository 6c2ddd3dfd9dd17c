import type { FilePin, NetworkFact, OutputStream, RunId, RunOutcome, SandboxFacts, Stage, StageResult, StreamFact } from '#contracts';

/** One stage as it will be spawned: absolute executable, final argv (hardening included), no shell. */
export interface StageSpec {
  readonly join: Stage['join'];
  readonly redirects: Stage['redirects'];
  /** `2>&1`: what the program says on stderr goes where its stdout goes. */
  readonly stderrToStdout?: boolean;
  /** Real absolute path of the program. */
  readonly executable: string;
  /** `argv[0]` as the program sees it, then its arguments. */
  readonly argv: readonly string[];
  /** When given, the program must still be this very file at the moment of the spawn. */
  readonly pin?: FilePin | null;
  /** Files whose content the program carries out: what it is handed must still be what was planned. */
  readonly scripts?: readonly FilePin[];
}

/** What the run may touch; the sandbox provider enforces as much of it as it can. */
export interface SandboxWish {
  readonly workspaceRoot: string;
  readonly workspaceWritable: boolean;
  readonly gitWritable: boolean;
  /** Hosts that the run may reach, each `host`, `host:port` or `*.domain`; through the proxy of the executor and in no other way. */
  readonly network: 'none' | readonly string[];
  /** Absolute paths that must not be readable: data folder, credential folders. */
  readonly hidden: readonly string[];
  /** Protected paths that this plan names and that a person approved: they stay writable. */
  readonly unprotected?: readonly string[];
  /**
   * Policy understood every stage in full, so nothing is written but what it saw: protected paths that are absent need no guard.
   * Guarding them costs a moment and shows as empty entries in the workspace while the run is active.
   */
  readonly analysed?: boolean;
  /** When given, the root must still be this very folder; it is then mounted by handle, not by name. */
  readonly rootPin?: FilePin;
}

/** Bounds beyond time and output; a run that reaches one is killed and says which. */
export interface RunBounds {
  /** Processes alive at once; 512 when not given. */
  readonly processes?: number;
  /** Resident memory of all processes together. */
  readonly memoryBytes?: number;
  readonly cpuMs?: number;
  /** Size of one file that the run writes. */
  readonly fileBytes?: number;
  readonly openFiles?: number;
}

/** Characters in a line, and lines. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

export interface RunSpec {
  readonly runId: RunId;
  readonly stages: readonly StageSpec[];
  readonly cwd: string;
  readonly cwdPin?: FilePin;
  readonly env: Readonly<Record<string, string>>;
  /** Wall time; the clock stands still while the run is paused. */
  readonly timeoutMs: number;
  /** Bytes kept per stream; head and tail. */
  readonly maxOutputBytes: number;
  readonly bounds?: RunBounds;
  /** The one stage runs in a terminal of this size, into which people may type. */
  readonly terminal?: TerminalSize;
  readonly sandbox: SandboxWish;
  /** SANDBOX=required: refuse to run with less than full enforcement. */
  readonly sandboxRequired: boolean;
}

export const LIMITS_HIT = ['time', 'output', 'processes', 'memory', 'cpu', 'file_size'] as const;
export type LimitHit = (typeof LIMITS_HIT)[number];

export interface RunResult {
  readonly outcome: Extract<RunOutcome, 'succeeded' | 'failed' | 'cancelled' | 'timed_out' | 'interrupted'>;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Of the last stage that ran; null when a signal ended it. */
  readonly exitCode: number | null;
  /** Signal number that ended the last stage. */
  readonly signal: number | null;
  /** Redacted, valid text: head, one line that says how much was left out, tail. */
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly stdoutFact: StreamFact;
  readonly stderrFact: StreamFact;
  /** One per stage of the spec; argv redacted. */
  readonly stages: readonly StageResult[];
  readonly sandbox: SandboxFacts;
  readonly limitHit: LimitHit | null;
  readonly survivors: readonly number[];
  /** Present when hosts were granted and the sandbox leads to no others. */
  readonly network?: NetworkFact;
  readonly cpuMs: number | null;
  /** Largest resident size that was seen of all processes together; null when the run was too short to look. */
  readonly maxRssBytes: number | null;
  /** Why nothing ran, when the spawn itself failed; redacted. */
  readonly failure: string | null;
  /** The error code that `failure` stands for, when it is one that a caller can act on. */
  readonly refusal?: 'SANDBOX_UNAVAILABLE' | 'PLAN_STALE';
}

/** What the executor found on this machine, and what would make it better. */
export interface SandboxReport {
  /** For a run that wishes no network and a writable workspace; `sandboxFactsFor` says it for another wish. */
  readonly facts: SandboxFacts;
  /** One sentence, such as how to install bubblewrap; null when nothing would help. */
  readonly advice: string | null;
  /** Runs may have a terminal. */
  readonly terminal?: boolean;
}

/** Which sandbox to look for: the strongest that works, none, or exactly one kind (for comparison). */
export type SandboxChoice = 'auto' | 'off' | SandboxFacts['kind'];

export type ToExecutor =
  | { readonly type: 'start'; readonly spec: RunSpec }
  | { readonly type: 'pause' | 'resume' | 'cancel'; readonly runId: RunId }
  | { readonly type: 'input'; readonly runId: RunId; readonly text: string }
  | ({ readonly type: 'resize'; readonly runId: RunId } & TerminalSize)
  /** Exact values that must never leave the executor; holds for runs that start later. */
  | { readonly type: 'secrets'; readonly values: readonly string[] };

export type FromExecutor =
  | { readonly type: 'ready'; readonly pid: number; readonly report: SandboxReport }
  /**
   * Once per stage. `pid` is the outermost process of the stage (the sandbox, where there is one).
   * `processStart`: start time of `pid` in clock ticks (/proc/PID/stat field 22), so that a reused pid is not mistaken.
   */
  | { readonly type: 'spawned'; readonly runId: RunId; readonly pid: number; readonly processStart: string | null }
  | { readonly type: 'output'; readonly runId: RunId; readonly stream: OutputStream; readonly text: string; readonly at: number }
  /** Only after a pause or a resume; a run that was spawned is running. */
  | { readonly type: 'moved'; readonly runId: RunId; readonly status: 'running' | 'paused' }
  | { readonly type: 'ended'; readonly runId: RunId; readonly result: RunResult };
