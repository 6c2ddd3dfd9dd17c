import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal, Run, RunId } from '#contracts';
import { AppError, Clock } from '#platform';
import { mayActOn } from './core/may-act.js';
import type { TerminalSize } from './executor/protocol.js';
import type { LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';
import { Runs } from './runs.js';

/** What one run may be told in all. */
const MAX_BYTES = 65_536;
const MAX_TIMES = 2_000;

/** Lets people type into the terminals of runs of this process. Who typed, when and how much stands in the receipt. */
@Injectable()
export class Typing {
  constructor(
    private readonly runs: Runs,
    private readonly live: LiveRuns,
    private readonly clock: Clock,
  ) {}

  async type(principal: Principal, id: RunId, text: string): Promise<Run> {
    const { run, live } = await this.#find(principal, id);
    const bytes = Buffer.byteLength(text);
    const before = live.typed.reduce((total, one) => total + one.bytes, 0);
    if (before + bytes > MAX_BYTES || live.typed.length >= MAX_TIMES) throw refused(id, 'This run has been told as much as a run may be');
    const sha256 = createHash('sha256').update(text).digest('hex');
    live.typed.push({ by: principal.id, name: principal.name, at: this.clock.now(), bytes, sha256 });
    live.started.kind.input?.(id, text);
    return run;
  }

  async resize(principal: Principal, id: RunId, size: TerminalSize): Promise<Run> {
    const { run, live } = await this.#find(principal, id);
    live.started.kind.resize?.(id, size);
    return run;
  }

  async #find(principal: Principal, id: RunId): Promise<{ readonly run: Run; readonly live: LiveRun }> {
    const run = await this.runs.get(principal, id);
    if (principal.kind !== 'person') throw new AppError('SCOPE_MISSING', 'Only people type into a terminal', { scope: 'terminal:execute' });
    if (run.status === 'ended') throw new AppError('RUN_ENDED', 'The run has ended', { runId: id, outcome: run.outcome });
    const live = this.live.find(id);
    if (!live?.started.plan.body.tty || live.status === 'queued') throw refused(id, 'This run has no terminal, or another server has it');
    if (!mayActOn(principal, live.started.plan, 'terminal:execute'))
      throw new AppError('SCOPE_MISSING', 'This needs the scope terminal:execute', { scope: 'terminal:execute' });
    return { run, live };
  }
}

function refused(runId: RunId, message: string): AppError {
  return new AppError('RUN_TAKES_NO_INPUT', message, { runId });
}
