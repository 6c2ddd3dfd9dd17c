import { Injectable, Logger } from '@nestjs/common';
import type { OutputChunk, OutputStream, Run } from '#contracts';
import { Clock } from '#platform';
import type { Ending } from './core/run-receipt.js';
import { Processes } from './ports.js';
import { type LeasedRun, PlanRepository, type RunProcess, RunRepository } from './repositories.js';
import { RunEndings } from './run-endings.js';

const MAX_CHUNKS = 10_000;

/** Why nobody carries a run out any more. */
export type Cause = 'owner_died' | 'owner_silent' | 'start_lost';

const WORDS: Readonly<Record<Cause, string>> = {
  owner_died: 'The process that carried out this run died; how far the command came is not known',
  owner_silent: 'Nothing was heard of the server that carried out this run for a minute; how far the command came is not known',
  start_lost: 'The database did not answer whether this run may start, so nothing was started',
};

const NEVER_STARTED = 'The server ended while this run waited for its turn; nothing was started';

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

  async interrupt({ run, startedBy, processes }: LeasedRun, cause: Cause): Promise<void> {
    const plan = await this.plans.find(run.planId);
    if (!plan) return; // a run cannot be written without its plan
    if (cause === 'owner_died') this.#endAll(run, processes);
    const isQueued = run.status === 'queued';
    const output = await this.runs.output(run.id, 0, MAX_CHUNKS);
    const ending: Ending = {
      outcome: 'interrupted',
      endedAt: this.clock.now(),
      endedBy: cause === 'start_lost' ? null : 'owner_died',
      result: null,
      stdout: textOf(output, 'stdout', plan.body.limits.maxOutputBytes),
      stderr: textOf(output, 'stderr', plan.body.limits.maxOutputBytes),
      truncated: !isQueued && cause !== 'start_lost', // what came last was never stored
      failure: isQueued ? NEVER_STARTED : WORDS[cause],
    };
    const ended = await this.endings.write({ plan, run, startedBy, ending, tail: [] }, AbortSignal.abort());
    this.#log.warn(`Run ${ended.id} was interrupted (${cause})`);
  }

  /** The owner lived on this machine, so its pids mean something. What its executor had not told yet is found by its mark. */
  #endAll({ id }: Run, processes: readonly RunProcess[]): void {
    for (const { pid, processStart } of processes) if (processStart !== null) this.processes.killGroup(pid, processStart);
    this.processes.killMarked(id);
  }
}

function textOf(output: readonly OutputChunk[], wanted: OutputStream, maxLength: number): string {
  return output
    .filter(({ stream }) => stream === wanted)
    .map(({ text }) => text)
    .join('')
    .slice(0, maxLength);
}
