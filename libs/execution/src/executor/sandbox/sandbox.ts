import type { SandboxFacts } from '#contracts';
import type { RunFolder } from '../private-folders.js';
import type { RunProcesses } from '../processes/run-processes.js';
import type { RunSpec, SandboxReport, StageSpec } from '../protocol.js';

/** How one stage is really started. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** The name the started file sees; its path when not given. */
  readonly argv0?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** File handles for the child from 3 up; closed by the caller after the spawn. */
  readonly handles: readonly number[];
  /** What the sandbox told about the stage so far; null: it tells nothing, the spawned process is the program. */
  readonly status: (() => InsideStatus) | null;
}

export interface InsideStatus {
  readonly inside: { readonly pid: number; readonly namespace: string } | null;
  /** Null: the program has not ended, or was never reached. */
  readonly exitCode: number | null;
}

/** The sandbox of one run. */
export interface Confinement {
  readonly facts: SandboxFacts;
  readonly processes: RunProcesses;
  /** How the sandbox says that it did not get as far as the program: how its line on stderr begins, and an exit code where it has its own. */
  readonly complaint: { readonly exitCode: number | null; readonly begins: string } | null;
  launch(stage: StageSpec): Launch;
  /** Takes back what was prepared outside; called once, when nothing of the run is alive. */
  close(): void;
}

/** One way to contain runs on this machine. */
export interface Sandbox {
  readonly report: SandboxReport;
  confine(spec: RunSpec, folder: RunFolder): Confinement;
}
