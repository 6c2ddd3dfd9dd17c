import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { OutputStream, RunId } from '#contracts';
import { AppError } from '#platform';
import { Executor, type RunSignal } from '../ports.js';
import { interruptedResult } from './interrupted-result.js';
import type { StandIns } from './network/names.js';
import { killOrphans } from './processes/group-processes.js';
import { sendSignal, startOf } from './processes/process-table.js';
import type { FromExecutor, RunSpec, SandboxChoice, SandboxReport, TerminalSize, ToExecutor } from './protocol.js';

/** How the executor is started; also the injection token. */
export class ExecutorOptions {
  constructor(
    readonly sandbox: SandboxChoice = 'auto',
    /** Compiled entry of the executor process. */
    readonly entry: string = builtEntry(),
    /** Servers of a test that stand for hosts of the Internet. */
    readonly standIns: StandIns = {},
  ) {}
}

const READY_WITHIN_MS = 20_000;
const END_WITHIN_MS = 5_000;
const RESTART_AFTER_MS = [0, 250, 1_000, 5_000, 15_000];
/** An executor that lived this long was well; the next restart is at once again. */
const WELL_AFTER_MS = 60_000;
/** A small young generation keeps the process small while output streams through, and a small process starts programs faster. */
const NODE_FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=4', '--no-warnings'];
const LAST_WORDS = 2_000;

interface Pending {
  readonly spec: RunSpec;
  readonly signal: (signal: RunSignal) => void;
  readonly processes: { readonly pid: number; readonly start: string | null }[];
  /** What was shown so far: all there is should the executor die. */
  readonly shown: Record<OutputStream, string>;
  startedAt: number | null;
}

interface Generation {
  readonly child: ChildProcess;
  readonly report: Promise<SandboxReport>;
  ready: SandboxReport | undefined;
  readonly since: number;
}

/**
 * The executor as the server sees it. Owns the child process: starts it, restarts it when it dies, ends it at shutdown.
 * A run whose executor dies gets an `ended` that says so; nothing is ever run again by itself.
 */
@Injectable()
export class ExecutorProcess extends Executor implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger(ExecutorProcess.name);
  readonly #runs = new Map<RunId, Pending>();
  #secrets: readonly string[] = [];
  #generation: Generation | undefined;
  #restart: NodeJS.Timeout | undefined;
  #failures = 0;
  #trouble: AppError | undefined;
  #closed = false;

  constructor(private readonly options: ExecutorOptions) {
    super();
  }

  onModuleInit(): void {
    this.#ensure();
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Process id of the executor while there is one. */
  get pid(): number | undefined {
    return this.#generation?.child.pid;
  }

  override report(): Promise<SandboxReport> {
    if (this.#closed) return Promise.reject(unavailable('The server is stopping'));
    return this.#trouble && !this.#generation ? Promise.reject(this.#trouble) : this.#ensure().report;
  }

  override start(spec: RunSpec, signal: (signal: RunSignal) => void): void {
    if (this.#closed) throw unavailable('The server is stopping');
    if (this.#trouble && !this.#generation) throw this.#trouble;
    if (this.#runs.has(spec.runId)) throw new AppError('INTERNAL', `Run ${spec.runId} was started already`);
    const generation = this.#ensure();
    const run: Pending = { spec, signal, processes: [], shown: { stdout: '', stderr: '' }, startedAt: null };
    this.#runs.set(spec.runId, run);
    if (generation.ready) this.#begin(generation, run);
    this.#hold();
  }

  override pause(runId: RunId): void {
    this.#steer('pause', runId);
  }

  override resume(runId: RunId): void {
    this.#steer('resume', runId);
  }

  override cancel(runId: RunId): void {
    this.#steer('cancel', runId);
  }

  override input(runId: RunId, text: string): void {
    this.#tell({ type: 'input', runId, text });
  }

  override resize(runId: RunId, size: TerminalSize): void {
    this.#tell({ type: 'resize', runId, ...size });
  }

  override protect(secrets: readonly string[]): void {
    this.#secrets = [...secrets];
    if (this.#generation?.ready) this.#send(this.#generation, { type: 'secrets', values: this.#secrets });
  }

  /** Ends the executor, and with it whatever it still runs. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restart);
    const child = this.#generation?.child;
    child?.ref(); // its end is waited for
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const timer = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
    if (child.connected) child.disconnect();
    await gone;
    clearTimeout(timer);
  }

  /** Before the executor is ready, steering waits for it together with the run. */
  #steer(type: 'pause' | 'resume' | 'cancel', runId: RunId): void {
    this.#tell({ type, runId });
  }

  #tell(message: Extract<ToExecutor, { readonly runId: RunId }>): void {
    const generation = this.#generation;
    if (!this.#runs.has(message.runId) || !generation) return;
    if (generation.ready) this.#send(generation, message);
    else
      void generation.report.then(
        () => this.#send(generation, message),
        () => undefined,
      );
  }

  #ensure(): Generation {
    if (this.#generation) return this.#generation;
    clearTimeout(this.#restart);
    const child = fork(this.options.entry, [this.options.sandbox, JSON.stringify(this.options.standIns)], {
      serialization: 'advanced',
      execArgv: NODE_FLAGS,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { TMPDIR: tmpdir() }, // nothing of the server's own environment: programs could look at it
    });
    let lastWords = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-LAST_WORDS)));
    let settle!: { resolve: (report: SandboxReport) => void; reject: (error: AppError) => void };
    const report = new Promise<SandboxReport>((resolve, reject) => (settle = { resolve, reject }));
    report.catch(() => undefined); // whoever waits for it hears of it
    const generation: Generation = { child, report, ready: undefined, since: Date.now() };
    this.#generation = generation;
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
    child.on('message', (message) => {
      const signal = message as FromExecutor; // only our executor has the other end of this channel
      if (signal.type !== 'ready') {
        this.#receive(signal);
        return;
      }
      clearTimeout(timer);
      settle.resolve(signal.report);
      this.#welcome(generation, signal.report);
    });
    const gone = (why: string): void => {
      clearTimeout(timer);
      const error = unavailable(`The executor could not be started: ${why}`);
      settle.reject(error);
      this.#lost(generation, error, why);
    };
    child.on('error', (thrown) => {
      if (child.pid === undefined) gone(thrown.message);
    });
    child.on('exit', (code, signal) => gone(reasonIn(lastWords) ?? `it ended with ${signal ?? `code ${String(code)}`}`));
    return generation;
  }

  #welcome(generation: Generation, report: SandboxReport): void {
    generation.ready = report;
    this.#trouble = undefined;
    this.#send(generation, { type: 'secrets', values: this.#secrets });
    for (const run of this.#runs.values()) this.#begin(generation, run);
    this.#hold();
  }

  /** Keeps this process alive while something is expected of the executor, and no longer. */
  #hold(): void {
    const generation = this.#generation;
    if (!generation) return;
    const { child, ready } = generation;
    const handles = [child, child.channel, child.stderr as unknown as ChildProcess | null]; // a socket: it has both, its type does not say so
    for (const handle of handles) {
      if (this.#runs.size > 0 || !ready) handle?.ref();
      else handle?.unref();
    }
  }

  #begin(generation: Generation, run: Pending): void {
    run.startedAt = Date.now();
    this.#send(generation, { type: 'start', spec: run.spec });
  }

  #receive(signal: RunSignal): void {
    const run = this.#runs.get(signal.runId);
    if (!run) return;
    if (signal.type === 'spawned') run.processes.push({ pid: signal.pid, start: signal.processStart });
    if (signal.type === 'output') run.shown[signal.stream] += signal.text;
    if (signal.type === 'ended') this.#runs.delete(signal.runId);
    run.signal(signal);
    if (signal.type === 'ended') this.#hold();
  }

  /** The executor is gone: its runs end here, what they left is killed, and another executor takes its place. */
  #lost(generation: Generation, error: AppError, why: string): void {
    if (this.#generation !== generation) return;
    this.#generation = undefined;
    const { ready } = generation;
    if (!ready) this.#trouble = error;
    if (!this.#closed) this.#log.error(ready ? `The executor died: ${why}` : error.message);
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    if (runs.length > 0) killOrphans(); // also what it had started and not yet told
    for (const { spec, signal, startedAt, processes, shown } of runs) {
      for (const { pid, start } of processes) if (start !== null && startOf(pid) === start) sendSignal(-pid, 'SIGKILL');
      signal({ type: 'ended', runId: spec.runId, result: interruptedResult(spec, ready?.facts, startedAt, shown) });
    }
    if (this.#closed) return;
    if (ready && Date.now() - generation.since > WELL_AFTER_MS) this.#failures = 0;
    const wait = RESTART_AFTER_MS[Math.min(this.#failures, RESTART_AFTER_MS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#restart = setTimeout(() => this.#ensure(), wait).unref();
  }

  #send({ child }: Generation, message: ToExecutor): void {
    if (!child.connected) return; // its end is about to be seen, and ends its runs
    child.send(message, (error) => {
      if (error) child.kill('SIGKILL'); // a channel that does not carry is as good as a dead executor
    });
  }
}

function unavailable(message: string): AppError {
  return new AppError('EXECUTOR_UNAVAILABLE', message);
}

/** The line of a last message that says what was wrong. */
function reasonIn(lastWords: string): string | undefined {
  const lines = lastWords.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /^\w*Error\b.*: /.test(line)) ?? lines.at(-1))?.trim();
}

/** Under a test runner this file is source; the process needs what the build made of it. */
function builtEntry(): string {
  const here = fileURLToPath(import.meta.url);
  if (!here.endsWith('.ts')) return fileURLToPath(new URL('./main.js', import.meta.url));
  return fileURLToPath(new URL('../../../../dist/server/libs/execution/src/executor/main.js', import.meta.url));
}
