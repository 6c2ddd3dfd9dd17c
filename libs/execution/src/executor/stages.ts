import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { withBounds } from './bounds.js';
import { explain } from './not-started.js';
import type { Pipe, Pipes } from './pipes.js';
import { startOf } from './processes/process-table.js';
import type { StageProcess } from './processes/run-processes.js';
import { checkProgram } from './program.js';
import type { RunSpec, StageSpec } from './protocol.js';
import { closeRedirects, openRedirects } from './redirects.js';
import { type ToTerminal, withTerminal } from './terminal/terminal.js';
import type { Confinement, InsideStatus } from './sandbox/sandbox.js';

/** How one stage ended. */
export interface StageExit {
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly durationMs: number;
  /** False: the sandbox gave up before the program. */
  readonly reached: boolean;
}

export interface StartedStage {
  readonly process: StageProcess;
  readonly exit: Promise<StageExit>;
  /** Tells the holder of its terminal; nobody hears it when there is none. */
  tell(message: ToTerminal): void;
}

/** Where the streams of a pipeline lead. */
export interface Streams {
  readonly stdout: number;
  readonly stderr: number;
}

/** Starts stages: joins their streams, opens their redirections, and starts each through the sandbox. */
export class Stages {
  constructor(
    private readonly spec: RunSpec,
    private readonly pipes: Pipes,
    private readonly confinement: Confinement,
    /** Told about each stage at once, so that it can be ended even if the next one does not start. */
    private readonly started: (stage: StartedStage) => void,
    private readonly reaped: () => void,
  ) {}

  /** Starts all stages of one pipeline, in one turn of the loop when nothing goes wrong. */
  async start(pipeline: readonly StageSpec[], ends: Streams): Promise<readonly StartedStage[]> {
    const stages: StartedStage[] = [];
    let before: Pipe | null = null;
    try {
      for (const [index, stage] of pipeline.entries()) {
        const after: Pipe | null = index < pipeline.length - 1 ? this.pipes.between() : null;
        try {
          const child = this.#spawn(stage, before?.read ?? 'ignore', { stdout: after?.write ?? ends.stdout, stderr: ends.stderr });
          if (child.child.pid === undefined) throw await failureOf(child.child, stage);
          const started = this.#watch(child.child, child.child.pid, child.status);
          stages.push(started);
          this.started(started);
        } catch (thrown) {
          if (after) closeSync(after.read);
          throw thrown;
        } finally {
          // the programs have their own copies; with ours closed, the end of one is seen by the other
          if (before) closeSync(before.read);
          before = null;
          if (after) closeSync(after.write);
        }
        before = after;
      }
    } finally {
      if (before) closeSync(before.read);
    }
    return stages;
  }

  #spawn(
    stage: StageSpec,
    input: number | 'ignore',
    ends: Streams,
  ): { readonly child: ChildProcess; readonly status: (() => InsideStatus) | null } {
    checkProgram(stage);
    const files = openRedirects(stage.redirects, this.spec.sandbox);
    try {
      const launch = withBounds(withTerminal(this.confinement.launch(stage), this.spec.terminal), this.spec.bounds ?? {});
      try {
        const { file, args, argv0, cwd, env, handles, status } = launch;
        const stdout = files.stdout ?? ends.stdout;
        const stderr = stage.stderrToStdout === true ? stdout : (files.stderr ?? ends.stderr);
        const stdin = this.spec.terminal ? ('pipe' as const) : (files.stdin ?? input);
        const stdio = [stdin, stdout, stderr, ...handles];
        const child = spawn(file, args, { cwd, env, stdio, detached: true, ...(argv0 === undefined ? {} : { argv0 }) });
        return { child, status };
      } catch (thrown) {
        throw explain(thrown, `The program ${stage.executable} could not be started`);
      } finally {
        launch.handles.forEach(closeSync);
      }
    } finally {
      closeRedirects(files);
    }
  }

  #watch(child: ChildProcess, pid: number, status: (() => InsideStatus) | null): StartedStage {
    const begun = performance.now();
    let inside: StageProcess['inside'] = null;
    const process = {
      pid,
      start: startOf(pid) ?? '',
      ended: false,
      get inside() {
        inside ??= status?.().inside ?? null;
        return inside;
      },
    };
    const exit = new Promise<StageExit>((resolve) => {
      child.on('exit', (code, name) => {
        process.ended = true;
        this.reaped();
        resolve({ ...meaning(code, name, status), durationMs: Math.round(performance.now() - begun) });
      });
    });
    child.stdin?.on('error', () => undefined); // it has ended in between
    return { process, exit, tell: (message) => void child.stdin?.write(lineOf(message)) };
  }
}

/** The sandbox passes a signal on as 128 + its number, as shells do. */
function meaning(code: number | null, name: NodeJS.Signals | null, status: (() => InsideStatus) | null): Omit<StageExit, 'durationMs'> {
  if (name !== null) return { exitCode: null, signal: constants.signals[name], reached: true };
  if (status === null || code === null) return { exitCode: code, signal: null, reached: true };
  const reached = status().exitCode !== null;
  return FATAL.has(code - 128) ? { exitCode: null, signal: code - 128, reached } : { exitCode: code, signal: null, reached };
}

/** Signals that end programs here. Programs also exit with 129 to 131 by themselves (git does), so HUP, INT and QUIT are not among them. */
const FATAL: ReadonlySet<number> = new Set(
  (
    [
      'SIGILL',
      'SIGTRAP',
      'SIGABRT',
      'SIGBUS',
      'SIGFPE',
      'SIGKILL',
      'SIGSEGV',
      'SIGPIPE',
      'SIGTERM',
      'SIGXCPU',
      'SIGXFSZ',
      'SIGSYS',
    ] as const
  ).map((name) => constants.signals[name]),
);

function failureOf(child: ChildProcess, { executable }: StageSpec): Promise<Error> {
  return new Promise((resolve) => {
    child.on('error', (thrown) => resolve(explain(thrown, `The program ${executable} could not be started`)));
  });
}

/** The reader at the other end takes these two for line ends as well, and a person may paste them. */
function lineOf(message: ToTerminal): string {
  return `${JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}
