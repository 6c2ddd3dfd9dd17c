import { Injectable, Logger } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import type { OutputChunk, PrincipalId, Run, RunId } from '#contracts';
import { AppError, Clock, EventFeed } from '#platform';
import { PolicyDocuments } from '#policy';
import { scopeOf } from './core/event-scope.js';
import type { EndedBy } from './core/ended-by.js';
import type { Ending } from './core/run-receipt.js';
import type { RunResult } from './executor/protocol.js';
import { LiveRun, type NumberedFrame, type StartedRun } from './live-run.js';
import type { RunSignal } from './ports.js';
import { RunRepository } from './repositories.js';
import { RunEndings } from './run-endings.js';
import { RunSlots } from './run-slots.js';
import { Workspaces } from './workspaces.js';

/** Output is stored, and shown, at most this long after it came. A run that is quicker needs no write of its own. */
const SAVE_AFTER_MS = 100;
/** After a write that failed. */
const SAVE_AGAIN_AFTER_MS = 1_000;

/** Owner of the runs that this process carries out: their signals, their output, and their one end. */
@Injectable()
export class LiveRuns {
  readonly #log = new Logger(LiveRuns.name);
  readonly #runs = new Map<RunId, LiveRun>();
  readonly #frames = new Subject<NumberedFrame & { readonly runId: RunId }>();
  readonly #givingUp = new AbortController();

  constructor(
    private readonly runs: RunRepository,
    private readonly endings: RunEndings,
    private readonly slots: RunSlots,
    private readonly workspaces: Workspaces,
    private readonly documents: PolicyDocuments,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  /** Frames of the runs of this process, each after it is stored. */
  get frames(): Observable<NumberedFrame & { readonly runId: RunId }> {
    return this.#frames;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Undefined: another process has it, or it has ended. */
  find(id: RunId): LiveRun | undefined {
    return this.#runs.get(id);
  }

  ownedBy(principal: PrincipalId): readonly LiveRun[] {
    return this.all().filter(({ started }) => started.run.owner === principal);
  }

  all(): readonly LiveRun[] {
    return [...this.#runs.values()];
  }

  /** Carries out a run whose start is durable, now or when its turn comes. */
  begin(started: StartedRun): LiveRun {
    const live = new LiveRun(started);
    this.#runs.set(started.run.id, live);
    if (live.status === 'queued') this.#queue(live);
    else this.#dispatch(live);
    return live;
  }

  /** How many runs have their turn before this one; null: it does not wait. */
  ahead(id: RunId): number | null {
    const turn = this.#runs.get(id)?.turn;
    return turn ? this.slots.ahead(turn) : null;
  }

  /** Asks the kind to end it, or takes it out of the line. The first reason given is the one that the receipt names. */
  stop(live: LiveRun, endedBy: EndedBy): void {
    live.endedBy ??= endedBy;
    if (live.status !== 'queued') live.started.kind.cancel(live.started.run.id);
    else if (live.turn && this.slots.leave(live.turn)) {
      live.turn = null;
      void this.#end(live, leftTheLine(live, this.clock.now()));
    }
  }

  #queue(live: LiveRun): void {
    live.turn = () => {
      live.turn = null;
      live.hasPlace = true;
      void this.#takeTurn(live);
    };
    this.slots.wait(live.started.run.owner, live.turn);
  }

  /** What the plan saw may have changed while the run waited, so it is looked at once more; the start is durable before anything is. */
  async #takeTurn(live: LiveRun): Promise<void> {
    const trouble = await this.#troubleOf(live).catch((thrown: unknown) => AppError.toWire(thrown).message);
    if (live.endedBy !== null) await this.#end(live, leftTheLine(live, this.clock.now()));
    else if (trouble === null) this.#dispatch(live);
    else await this.#end(live, notStarted(this.clock.now(), trouble));
  }

  /** A policy that is saved between the look and the start is looked at as well. */
  async #troubleOf(live: LiveRun): Promise<string | null> {
    for (;;) {
      const policy = await this.documents.number();
      const changes = await this.#changesOf(live);
      if (changes.length > 0) return `What the plan saw has changed while the run waited: ${changes.join(', ')}. Nothing was started`;
      if (live.endedBy !== null) return null;
      const start = await this.#start(live, policy);
      if (start === 'started') live.status = 'started';
      if (start === 'ended') return 'The run was ended by another process while it waited';
      if (start !== 'policy_changed') return null;
    }
  }

  /** The workspace is read anew: it may have another mode by now, or be another folder. */
  async #changesOf(live: LiveRun): Promise<readonly string[]> {
    const { plan, kind } = live.started;
    live.workspace = await this.workspaces.get(plan.workspaceId);
    this.workspaces.assertPresent(live.workspace);
    return kind.recheck(plan, live.workspace);
  }

  #start({ started: { run, plan } }: LiveRun, policy: number): Promise<'started' | 'ended' | 'policy_changed'> {
    return this.feed.write(async (tx, append) => {
      if ((await this.documents.number(tx)) !== policy) return 'policy_changed';
      if (!(await this.runs.move(tx, run.id, 'started'))) return 'ended';
      await append(scopeOf(plan), { type: 'run.moved', runId: run.id, planId: plan.id, status: 'started' });
      return 'started';
    });
  }

  #dispatch(live: LiveRun): void {
    const { run, plan, kind } = live.started;
    try {
      kind.dispatch(plan, live.workspace, run.id, (signal) => this.#receive(live, signal));
    } catch (error) {
      this.#log.error(`Run ${run.id} could not be started`, error);
      void this.#end(live, notStarted(this.clock.now(), 'Nothing was started'));
    }
  }

  /** From now on an end that cannot be written is left to the recovery of the next start. */
  giveUp(): void {
    this.#givingUp.abort();
  }

  #receive(live: LiveRun, signal: RunSignal): void {
    switch (signal.type) {
      case 'spawned':
        live.processes.push({ pid: signal.pid, processStart: signal.processStart });
        live.unsavedProcesses = true;
        if (live.status === 'started') live.moveTo('running');
        break;
      case 'output':
        live.log.push(signal.stream, signal.text, signal.at);
        break;
      case 'moved':
        live.moveTo(signal.status);
        void this.#save(live);
        return;
      case 'ended':
        void this.#end(live, { ...toEnding(signal.result, live.endedBy), typed: live.typed });
        return;
    }
    live.timer ??= setTimeout(() => void this.#save(live), SAVE_AFTER_MS);
  }

  #save(live: LiveRun): Promise<void> {
    clearTimeout(live.timer);
    live.timer = undefined;
    live.saving = live.saving.then(() => (live.hasNews ? this.#write(live) : undefined));
    return live.saving;
  }

  async #write(live: LiveRun): Promise<void> {
    const { run, plan } = live.started;
    const { status, unsavedStatus, unsavedProcesses } = live;
    const processes = [...live.processes];
    const chunks = live.takeOutput();
    live.unsavedStatus = live.unsavedProcesses = false;
    try {
      await this.feed.write(async (tx, append) => {
        if (unsavedProcesses) await this.runs.spawned(tx, run.id, processes);
        const isMoved = unsavedStatus && (await this.runs.move(tx, run.id, status));
        await this.runs.appendOutput(tx, run.id, chunks);
        if (isMoved) await append(scopeOf(plan), { type: 'run.moved', runId: run.id, planId: plan.id, status });
      });
    } catch (error) {
      this.#log.error(`News of run ${run.id} could not be written; they are kept for later`, error);
      live.putBack(chunks);
      live.unsavedStatus ||= unsavedStatus;
      live.unsavedProcesses ||= unsavedProcesses;
      live.timer ??= setTimeout(() => void this.#save(live), SAVE_AGAIN_AFTER_MS);
      return;
    }
    this.#tell(live, chunks);
  }

  async #end(live: LiveRun, ending: Ending): Promise<void> {
    await live.saving; // what is being written comes before the end
    clearTimeout(live.timer);
    const { plan, run, startedBy } = live.started;
    const tail = live.takeOutput();
    try {
      const ended = await this.endings.write({ plan, run, startedBy, ending, tail }, this.#givingUp.signal);
      this.#forget(live);
      this.#tell(live, tail);
      this.#tellEnd(live, ended);
      live.resolve(ended);
    } catch (error) {
      this.#forget(live);
      live.reject(error);
    }
  }

  /** Its place is the next one's. */
  #forget(live: LiveRun): void {
    if (this.#runs.delete(live.started.run.id) && live.hasPlace) this.slots.release();
  }

  #tell(live: LiveRun, chunks: readonly OutputChunk[]): void {
    const runId = live.started.run.id;
    for (const chunk of chunks) {
      live.told = chunk.seq;
      this.#frames.next({ runId, seq: chunk.seq, frame: { type: 'output', ...chunk } });
    }
  }

  #tellEnd(live: LiveRun, { id, outcome, receiptId }: Run): void {
    if (outcome === null || receiptId === null) return;
    live.told += 1;
    this.#frames.next({ runId: id, seq: live.told, frame: { type: 'ended', outcome, receiptId } });
  }
}

/** A command that was stopped because the server stops was interrupted; every other stop was somebody's wish. */
function toEnding(result: RunResult, endedBy: EndedBy | null): Ending {
  const isShutdown = result.outcome === 'cancelled' && endedBy === 'shutdown';
  const { endedAt, stdout, stderr, truncated } = result;
  return {
    outcome: isShutdown ? 'interrupted' : result.outcome,
    endedAt,
    endedBy: result.outcome === 'cancelled' ? endedBy : null,
    result,
    stdout,
    stderr,
    truncated,
    failure: null,
  };
}

function leftTheLine({ endedBy }: LiveRun, now: number): Ending {
  const ending = notStarted(now, 'It waited for a free place. Nothing was started');
  return endedBy === 'shutdown' ? { ...ending, outcome: 'interrupted' } : { ...ending, outcome: 'cancelled', endedBy };
}

function notStarted(now: number, failure: string): Ending {
  return {
    outcome: 'failed',
    endedAt: now,
    endedBy: null,
    result: null,
    stdout: '',
    stderr: '',
    truncated: false,
    failure,
  };
}
