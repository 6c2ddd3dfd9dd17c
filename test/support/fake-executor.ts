import type { RunId } from '#contracts';
import { Executor, type RunResult, type RunSignal, type RunSpec, type SandboxReport } from '#execution';
import { AppError } from '#platform';
import { NO_SANDBOX } from './plans.js';

interface FakeRun {
  readonly spec: RunSpec;
  readonly signal: (signal: RunSignal) => void;
}

/** An executor that starts nothing. A run says `hello` and ends at once, or stays until the test or a cancel ends it. */
export class FakeExecutor extends Executor {
  readonly started: RunSpec[] = [];
  readonly #runs = new Map<RunId, FakeRun>();
  secrets: readonly string[] = [];
  /** Runs stay until they are ended. */
  holds = false;
  isAway = false;
  hasTerminals = true;
  facts = NO_SANDBOX;

  override report(): Promise<SandboxReport> {
    return Promise.resolve({ facts: this.facts, advice: null, terminal: this.hasTerminals });
  }

  override start(spec: RunSpec, signal: (signal: RunSignal) => void): void {
    if (this.isAway) throw new AppError('EXECUTOR_UNAVAILABLE', 'The executor is away');
    this.started.push(spec);
    this.#runs.set(spec.runId, { spec, signal });
    setImmediate(() => {
      this.emit({ type: 'spawned', runId: spec.runId, pid: 4_000_000 + this.started.length, processStart: '1' });
      if (this.holds) return;
      this.emit({ type: 'output', runId: spec.runId, stream: 'stdout', text: 'hello\n', at: Date.now() });
      this.end(spec.runId);
    });
  }

  override pause(runId: RunId): void {
    this.emit({ type: 'moved', runId, status: 'paused' });
  }

  override resume(runId: RunId): void {
    this.emit({ type: 'moved', runId, status: 'running' });
  }

  override cancel(runId: RunId): void {
    setImmediate(() => this.end(runId, { outcome: 'cancelled', exitCode: null, signal: 15 }));
  }

  override input(runId: RunId, text: string): void {
    this.emit({ type: 'output', runId, stream: 'stdout', text, at: Date.now() });
  }

  override resize(): void {
    // there is no terminal
  }

  override protect(secrets: readonly string[]): void {
    this.secrets = secrets;
  }

  get active(): readonly RunId[] {
    return [...this.#runs.keys()];
  }

  /** Of a run that is there; like the real one, nothing comes after its end. */
  emit(signal: RunSignal): void {
    this.#runs.get(signal.runId)?.signal(signal);
  }

  end(runId: RunId, change: Partial<RunResult> = {}): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    this.#runs.delete(runId);
    run.signal({ type: 'ended', runId, result: aResult(run.spec, change) });
  }

  /** The process of the executor is gone, and its runs with it. */
  die(): void {
    for (const runId of this.active) this.end(runId, { outcome: 'interrupted', exitCode: null, failure: 'The executor died' });
  }
}

export function aResult(spec: RunSpec, change: Partial<RunResult> = {}): RunResult {
  const at = Date.now();
  const nothing = {
    bytes: 0,
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    kept: 0,
    redactions: 0,
    invalidUtf8: 0,
  };
  return {
    outcome: 'succeeded',
    startedAt: at,
    endedAt: at,
    exitCode: 0,
    signal: null,
    stdout: 'hello\n',
    stderr: '',
    truncated: false,
    stdoutFact: { ...nothing, bytes: 6, kept: 6 },
    stderrFact: nothing,
    stages: spec.stages.map(({ join, argv }) => ({ join, argv, ran: true, exitCode: 0, signal: null, durationMs: 0 })),
    sandbox: NO_SANDBOX,
    limitHit: null,
    survivors: [],
    cpuMs: null,
    maxRssBytes: null,
    failure: null,
    ...change,
  };
}
