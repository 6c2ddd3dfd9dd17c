import { Injectable, Logger } from '@nestjs/common';
import type { OutputChunk, OutputStream } from '#contracts';
import { Clock } from '#platform';
import type { Ending } from './core/run-receipt.js';
import { Processes } from './ports.js';
import { type LeasedRun, PlanRepository, RunRepository } from './repositories.js';
import { RunEndings } from './run-endings.js';

const MAX_CHUNKS = 10_000;

/** Ends a run whose owner is dead. Nothing is ever run again; what is left of it is killed if it is provably the same. */
@Injectable()
export class Interruptions {
  readonly #log = new Logger(Interruptions.name);

  constructor(
    private readonly plans: PlanRepository,
    private readonly runs: RunRepository,
    private readonly endings: RunEndings,
    private readonly processes: Processes,
    private readonly clock: Clock,
  ) {}

  /** `isHere`: the owner lived on this machine, so its pids mean something. */
  async interrupt({ run, startedBy, processes }: LeasedRun, isHere: boolean): Promise<void> {
    const plan = await this.plans.find(run.planId);
    if (!plan) return; // a run cannot be written without its plan
    if (isHere) for (const { pid, processStart } of processes) if (processStart !== null) this.processes.killGroup(pid, processStart);
    const output = await this.runs.output(run.id, 0, MAX_CHUNKS);
    const ending: Ending = {
      outcome: 'interrupted',
      endedAt: this.clock.now(),
      endedBy: 'owner_died',
      result: null,
      stdout: textOf(output, 'stdout', plan.body.limits.maxOutputBytes),
      stderr: textOf(output, 'stderr', plan.body.limits.maxOutputBytes),
      truncated: true, // what came last was never stored
      failure: 'The process that carried out this run died; how far the command came is not known',
    };
    const ended = await this.endings.write({ plan, run, startedBy, ending, tail: [] }, AbortSignal.abort());
    this.#log.warn(`Run ${ended.id} was interrupted: its owner is dead`);
  }
}

function textOf(output: readonly OutputChunk[], wanted: OutputStream, maxLength: number): string {
  return output
    .filter(({ stream }) => stream === wanted)
    .map(({ text }) => text)
    .join('')
    .slice(0, maxLength);
}
