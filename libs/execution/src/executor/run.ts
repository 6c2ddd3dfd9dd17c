import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import type { StageResult } from '#contracts';
import type { Redactor } from '#receipts/core';
import { openEgress, redactedFact } from './network/egress.js';
import type { EgressProxy } from './network/egress-proxy.js';
import type { StandIns } from './network/names.js';
import { explain, NotStarted } from './not-started.js';
import type { Outbox } from './outbox.js';
import { checkContentPin, checkFolderPin } from './pins.js';
import type { Pipes } from './pipes.js';
import type { PrivateFolders, RunFolder } from './private-folders.js';
import { type ReapedCpu, UsageWatch } from './processes/usage.js';
import type { LimitHit, RunResult, RunSpec, StageSpec } from './protocol.js';
import { RunOutput } from './run-output.js';
import { sandboxFactsFor } from './sandbox/facts.js';
import type { Confinement, Sandbox } from './sandbox/sandbox.js';
import { type StageExit, Stages, type StartedStage } from './stages.js';
import { StopWatch } from './stop-watch.js';
import type { ToTerminal } from './terminal/terminal.js';

/** How long a program may tidy up after it was asked to end. */
export const GRACE_MS = 2_000;
/** How long output may still come after the last stage has ended, from something it left behind. */
const DRAIN_MS = 250;
/** How long killing may take before what is left counts as a survivor. */
const SWEEP_MS = 3_000;
const SWEEP_STEP_MS = 16;

/** What the executor lends to each run. */
export interface Workshop {
  readonly sandbox: Sandbox;
  readonly folders: PrivateFolders;
  readonly pipes: Pipes;
  readonly outbox: Outbox;
  readonly reaped: ReapedCpu;
  readonly standIns: StandIns;
}

type Stop = 'cancelled' | 'interrupted' | LimitHit;

/** One run from its first spawn to its result. Owns its processes, its output and its private folder, and leaves none of them behind. */
export class Run {
  readonly #startedAt = Date.now();
  readonly #clock: StopWatch;
  readonly #exits = new Map<StageSpec, StageExit>();
  readonly #cpu: (() => number | null)[] = [];
  readonly #givenUp: Promise<undefined>;
  #giveUp!: (value: undefined) => void;
  #confinement: Confinement | undefined;
  #usage: UsageWatch | undefined;
  #egress: EgressProxy | undefined;
  #stage: StartedStage | undefined;
  /** Came before there was anybody to hear it. */
  readonly #untold: ToTerminal[] = [];
  #stop: Stop | undefined;
  #pause: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #sweeping: Promise<void> | undefined;
  #unreached: StageSpec | undefined;
  /** All stages that will run have ended. */
  #over = false;

  constructor(
    private readonly spec: RunSpec,
    private readonly redactor: Redactor,
    private readonly shop: Workshop,
  ) {
    this.#clock = new StopWatch(spec.timeoutMs, () => this.stop('time'));
    this.#givenUp = new Promise((resolve) => (this.#giveUp = resolve));
  }

  /** Never throws: a run that cannot start has a result that says why. */
  async execute(): Promise<RunResult> {
    let folder: RunFolder | undefined;
    let output: RunOutput | undefined;
    let failure: NotStarted | undefined;
    try {
      folder = this.shop.folders.open(this.spec.runId, this.spec.sandbox.workspaceWritable);
      output = new RunOutput(this.spec, this.shop.pipes, this.redactor, this.shop.outbox, () => this.stop('output'));
      this.#confine(folder);
      if (this.#confinement) this.#egress = await openEgress(this.spec.sandbox, this.#confinement.facts, folder, this.shop.standIns);
      await this.#runAll(output);
    } catch (thrown) {
      failure = explain(thrown, 'The run could not go on');
    }
    this.#over = true;
    this.#clock.stop();
    const survivors = await this.#tidy(output);
    this.#usage?.stop();
    this.#confinement?.close();
    if (folder) this.shop.folders.remove(folder);
    return this.#result(output, failure, survivors);
  }

  pause(): void {
    if (this.#pause || this.#stop || this.#over) return;
    let end!: () => void;
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#pause = { over, end };
    this.#clock.stop();
    this.#confinement?.processes.pause();
    this.shop.outbox.send({ type: 'moved', runId: this.spec.runId, status: 'paused' });
  }

  resume(): void {
    if (!this.#pause || this.#stop || this.#over) return;
    this.#confinement?.processes.resume();
    this.#clock.start();
    this.#pause.end();
    this.#pause = undefined;
    this.shop.outbox.send({ type: 'moved', runId: this.spec.runId, status: 'running' });
  }

  /** Ends the run early. The first reason counts, and no further stage starts. */
  stop(reason: Stop): void {
    if (this.#stop || this.#over) return;
    this.#stop = reason;
    this.#pause?.end();
    if (reason === 'cancelled' || reason === 'time') void this.#endGently();
    else void this.#sweep();
  }

  #confine(folder: RunFolder): void {
    const { sandbox } = this.shop;
    const { spec } = this;
    if (spec.sandboxRequired && sandbox.report.facts.enforcement !== 'full') {
      const advice = sandbox.report.advice ?? '';
      throw new NotStarted(
        `This server runs commands only in full containment, which this machine does not offer. ${advice}`.trim(),
        'SANDBOX_UNAVAILABLE',
      );
    }
    this.#confinement = sandbox.confine(spec, folder);
    const { processes } = this.#confinement;
    this.#usage = new UsageWatch(processes, spec.bounds ?? {}, (limit) => this.stop(limit));
  }

  async #runAll(output: RunOutput): Promise<void> {
    const confinement = this.#confinement;
    if (!confinement) return;
    const { spec, shop } = this;
    const reaped = (): unknown => this.#cpu.push(shop.reaped.take(spec.runId));
    const stages = new Stages(spec, shop.pipes, confinement, (stage) => this.#started(stage), reaped);
    this.#clock.start();
    this.#usage?.start();
    let succeeded = true;
    for (const pipeline of pipelinesOf(spec.stages)) {
      await this.#pause?.over;
      if (this.#stop) return;
      if (skips(pipeline[0], succeeded)) continue;
      this.#checkFolders();
      this.#checkScripts(pipeline);
      const started = await stages.start(pipeline, output.writers);
      const exits = await Promise.race([Promise.all(started.map(({ exit }) => exit)), this.#givenUp]);
      exits?.forEach((exit, index) => this.#exits.set(pipeline[index] as StageSpec, exit)); // one exit per stage
      this.#unreached = pipeline.find((stage) => this.#exits.get(stage)?.reached === false);
      if (this.#unreached) return;
      succeeded = exits?.at(-1)?.exitCode === 0;
    }
  }

  /** What a person types, or the new size of their window. */
  tell(message: ToTerminal): void {
    if (!this.spec.terminal || this.#over) return;
    if (this.#stage) this.#stage.tell(message);
    else this.#untold.push(message);
  }

  #started(stage: StartedStage): void {
    const { process } = stage;
    const { pid, start } = process;
    this.#stage = stage;
    for (const message of this.#untold.splice(0)) stage.tell(message);
    this.#confinement?.processes.add(process);
    this.shop.outbox.send({ type: 'spawned', runId: this.spec.runId, pid, processStart: start === '' ? null : start });
  }

  /**
   * Before the first program all of them; later those that come next, unless the run itself may have written them: what one stage
   * makes and the next carries out is one plan.
   */
  #checkScripts(pipeline: readonly StageSpec[]): void {
    const isFirst = this.#exits.size === 0;
    if (!isFirst && this.spec.sandbox.workspaceWritable) return;
    for (const { scripts = [] } of isFirst ? this.spec.stages : pipeline) for (const pin of scripts) checkContentPin(pin, 'The script');
  }

  #checkFolders(): void {
    const { cwd, cwdPin, sandbox } = this.spec;
    if (!statSync(sandbox.workspaceRoot, { throwIfNoEntry: false })?.isDirectory())
      throw new NotStarted(`The workspace ${sandbox.workspaceRoot} is gone`);
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
      throw new NotStarted(`The working folder ${cwd} does not exist (any more)`);
    if (cwdPin) checkFolderPin(cwdPin, 'The working folder');
    if (sandbox.rootPin) checkFolderPin(sandbox.rootPin, 'The workspace');
  }

  /** TERM, CONT, some time to tidy up, then KILL of all that is left. */
  async #endGently(): Promise<void> {
    const until = performance.now() + GRACE_MS;
    // a sandbox that is still setting itself up has nobody inside who could hear it
    while (!this.#over && performance.now() < until && this.#confinement?.processes.terminate() === false) await after(SWEEP_STEP_MS);
    while (!this.#over && performance.now() < until) await after(SWEEP_STEP_MS);
    if (!this.#over) await this.#sweep();
  }

  /** KILL until nothing is left. */
  #sweep(): Promise<void> {
    this.#sweeping ??= this.#killAll().finally(() => (this.#sweeping = undefined));
    return this.#sweeping;
  }

  async #killAll(): Promise<void> {
    const processes = this.#confinement?.processes;
    if (!processes) return;
    const until = performance.now() + SWEEP_MS;
    for (let wait = 1; performance.now() < until; wait = Math.min(wait * 2, SWEEP_STEP_MS)) {
      processes.kill();
      if (processes.alive().length === 0) return;
      await after(wait);
    }
    this.#giveUp(undefined);
  }

  /** Reads what is still to come, ends what is still there; answers with what could not be ended. */
  async #tidy(output: RunOutput | undefined): Promise<readonly number[]> {
    output?.closeWriters();
    const processes = this.#confinement?.processes;
    if (output) await this.#drain(output);
    if (!processes || processes.alive().length === 0) return [];
    await this.#sweep();
    if (output) await this.#drain(output);
    return processes.alive();
  }

  /** Time in which the server was too busy to take output does not count. */
  async #drain(output: RunOutput): Promise<void> {
    do {
      const timer = new AbortController();
      await Promise.race([output.closed, after(DRAIN_MS, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
    } while (this.shop.outbox.full && !output.isClosed);
  }

  #result(output: RunOutput | undefined, failure: NotStarted | undefined, survivors: readonly number[]): RunResult {
    const { stdout, stderr, truncated } = output?.finish() ?? { stdout: NOTHING, stderr: NOTHING, truncated: false };
    const why = this.#stop ? undefined : (failure?.message ?? this.#sandboxTrouble(stderr.text));
    const last = [...this.#exits.values()].at(-1);
    const cpu = this.#cpu.map((ticks) => ticks());
    const reaped = cpu.length === 0 || cpu.includes(null) ? null : cpu.reduce((total: number, ticks) => total + (ticks ?? 0), 0);
    return {
      ...this.#verdict(why, last),
      startedAt: this.#startedAt,
      endedAt: Date.now(),
      exitCode: last?.exitCode ?? null,
      signal: last?.signal ?? null,
      stdout: stdout.text,
      stderr: stderr.text,
      truncated,
      stdoutFact: stdout.fact,
      stderrFact: stderr.fact,
      stages: this.spec.stages.map((stage) => this.#stageResult(stage)),
      sandbox: this.#confinement?.facts ?? sandboxFactsFor(this.shop.sandbox.report.facts, this.spec.sandbox),
      survivors,
      cpuMs: this.#usage?.cpuMs(reaped) ?? null,
      maxRssBytes: this.#usage?.maxRssBytes ?? null,
      failure: why === undefined ? null : this.redactor.redact(why).text,
      ...(failure?.refusal === undefined ? {} : { refusal: failure.refusal }),
      ...(this.#egress && { network: redactedFact(this.#egress.close(), this.redactor) }),
    };
  }

  #verdict(failure: string | undefined, last: StageExit | undefined): Pick<RunResult, 'outcome' | 'limitHit'> {
    switch (this.#stop) {
      case 'cancelled':
      case 'interrupted':
        return { outcome: this.#stop, limitHit: null };
      case 'time':
        return { outcome: 'timed_out', limitHit: 'time' };
      case 'output':
      case 'processes':
      case 'memory':
      case 'cpu':
      case 'file_size':
        return { outcome: 'failed', limitHit: this.#stop };
      case undefined: {
        const tooBig = this.spec.bounds?.fileBytes !== undefined && last?.signal === constants.signals.SIGXFSZ;
        return { outcome: failure === undefined && last?.exitCode === 0 ? 'succeeded' : 'failed', limitHit: tooBig ? 'file_size' : null };
      }
    }
  }

  #stageResult(stage: StageSpec): StageResult {
    const exit = this.#exits.get(stage);
    const argv = this.redactor.redactArgv(stage.argv);
    return {
      join: stage.join,
      argv,
      ran: exit !== undefined && exit.reached,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      durationMs: exit?.durationMs ?? 0,
    };
  }

  /** The sandbox says on the program's stderr why it did not reach the program. */
  #sandboxTrouble(stderr: string): string | undefined {
    const { exitCode, begins } = this.#confinement?.complaint ?? { exitCode: null, begins: '' };
    const line = stderr.split('\n').findLast((text) => begins !== '' && text.startsWith(begins));
    const failed = [...this.#exits].find(([, exit]) => exitCode !== null && line !== undefined && exit.exitCode === exitCode)?.[0];
    const stage = this.#unreached ?? failed;
    if (!stage) return undefined;
    return `The sandbox could not start ${stage.executable}${line === undefined ? '' : `: ${line.slice(begins.length)}`}`;
  }
}

const NOTHING = {
  text: '',
  fact: { bytes: 0, sha256: createHash('sha256').digest('hex'), kept: 0, redactions: 0, invalidUtf8: 0 },
};

/** Stages that are joined by pipes run together. */
function pipelinesOf(stages: readonly StageSpec[]): readonly (readonly [StageSpec, ...StageSpec[]])[] {
  const pipelines: [StageSpec, ...StageSpec[]][] = [];
  for (const stage of stages) {
    const current = pipelines.at(-1);
    if (stage.join === 'pipe' && current) current.push(stage);
    else pipelines.push([stage]);
  }
  return pipelines;
}

function skips({ join }: StageSpec, succeeded: boolean): boolean {
  return (join === 'and' && !succeeded) || (join === 'or' && succeeded);
}
