import { Injectable } from '@nestjs/common';
import { filter, firstValueFrom, Subject, takeUntil } from 'rxjs';
import type { OutputChunk, Principal, PrincipalId, Run, RunId, RunStatus } from '#contracts';
import { AppError, EventFeed } from '#platform';
import type { EndedBy } from './core/ended-by.js';
import { mayActOn, maySeeWorkOf, type Work, workSeenBy } from './core/may-act.js';
import { LiveRuns } from './live-runs.js';
import { type RunFilter, RunRepository, type Wish } from './repositories.js';
import { within } from './within.js';

/** How long a caller waits to see that a pause or a resume has taken hold. */
const MOVED_WITHIN_MS = 3_000;
/** How long ending is waited for: the executor's grace, its kill, and the write of the receipt. */
const ENDED_WITHIN_MS = 15_000;

/** Owner of runs as callers see them, whichever process carries them out: reading, waiting, pausing, ending. */
@Injectable()
export class Runs {
  constructor(
    private readonly runs: RunRepository,
    private readonly live: LiveRuns,
    private readonly feed: EventFeed,
  ) {}

  async get(principal: Principal, id: RunId): Promise<Run> {
    const run = await this.runs.find(id);
    if (!run || !maySeeWorkOf(principal, await this.#work(principal, run)))
      throw new AppError('RUN_NOT_FOUND', 'No such run', { runId: id });
    return run;
  }

  page(principal: Principal, search: Omit<RunFilter, 'seen'>): Promise<readonly Run[]> {
    return this.runs.page({ ...search, seen: workSeenBy(principal) });
  }

  /** Stored output after a chunk, and whether more may come. */
  async output(principal: Principal, id: RunId, after: number, limit: number): Promise<{ items: readonly OutputChunk[]; ended: boolean }> {
    const { status } = await this.get(principal, id); // read first: what an ended run has written is all there
    const items = await this.runs.output(id, after, limit);
    return { items, ended: status === 'ended' && items.length < limit };
  }

  /** How many runs of this server have their turn before this one; null: it does not wait, or waits elsewhere. */
  ahead(id: RunId): number | null {
    return this.live.ahead(id);
  }

  pause(principal: Principal, id: RunId): Promise<Run> {
    return this.#move(principal, id, 'pause', 'paused');
  }

  resume(principal: Principal, id: RunId): Promise<Run> {
    return this.#move(principal, id, 'resume', 'running');
  }

  /** Ends a run and waits, within bounds, for its receipt. */
  async cancel(principal: Principal, id: RunId): Promise<Run> {
    const run = await this.#getToAct(principal, id);
    await this.stop(run.id, 'caller');
    return this.waitEnded(id, ENDED_WITHIN_MS);
  }

  /** Has a run ended by its owner process; the run's own end decides what it was. */
  async stop(id: RunId, endedBy: EndedBy): Promise<void> {
    const live = this.live.find(id);
    if (live) this.live.stop(live, endedBy);
    else await this.runs.wish(id, 'cancel', endedBy);
  }

  /** The run once its end is durable, or as it is when the time is over or the caller leaves. */
  waitEnded(id: RunId, ms: number, signal?: AbortSignal): Promise<Run> {
    return this.#hearing(id, undefined, async (event) => {
      const ended = this.live.find(id)?.ended.catch(() => undefined) ?? event; // an end that could not be written is no end
      const before = await this.#find(id);
      if (before.status === 'ended') return before;
      await within(ended, ms, signal);
      return this.#find(id);
    });
  }

  /** Ends the runs of a principal that this process carries out, as when its STDIO input ends. */
  async endAllOf(principal: PrincipalId, endedBy: EndedBy = 'input_ended'): Promise<void> {
    const mine = this.live.ownedBy(principal);
    for (const live of mine) this.live.stop(live, endedBy);
    await within(Promise.allSettled(mine.map(({ ended }) => ended)), ENDED_WITHIN_MS);
  }

  async #move(principal: Principal, id: RunId, wish: Exclude<Wish, 'cancel'>, to: RunStatus): Promise<Run> {
    const run = await this.#getToAct(principal, id);
    if (run.status === to || run.status === 'queued') return run; // what waits has nothing that could be stopped
    return this.#hearing(id, to, async (moved) => {
      const live = this.live.find(id);
      if (live) live.started.kind[wish](id);
      else await this.runs.wish(id, wish, null);
      await within(moved, MOVED_WITHIN_MS);
      return this.#find(id);
    });
  }

  async #getToAct(principal: Principal, id: RunId): Promise<Run> {
    const run = await this.get(principal, id);
    if (!mayActOn(principal, await this.#work(principal, run), 'terminal:execute')) {
      throw new AppError('SCOPE_MISSING', 'This needs the scope terminal:execute', { scope: 'terminal:execute' });
    }
    if (run.status === 'ended') throw new AppError('RUN_ENDED', 'The run has ended', { runId: id, outcome: run.outcome });
    return run;
  }

  /** Where a run is matters only for callers whose rights differ between workspaces. */
  async #work({ workspaceScopes }: Principal, { id, owner }: Run): Promise<Work> {
    return { owner, workspaceId: workspaceScopes === undefined ? null : ((await this.runs.workspaceOf(id)) ?? null) };
  }

  async #find(id: RunId): Promise<Run> {
    const run = await this.runs.find(id);
    if (!run) throw new AppError('RUN_NOT_FOUND', 'No such run', { runId: id });
    return run;
  }

  /**
   * Listens for the end of a run, or for its move to a status, from before the work begins, so that nothing is missed, and no longer
   * than it takes. Another move may have been under way before; it is not what the caller waits for.
   */
  async #hearing<T>(id: RunId, status: RunStatus | undefined, work: (event: Promise<unknown>) => Promise<T>): Promise<T> {
    const done = new Subject<void>();
    const ofRun = this.feed.live.pipe(
      filter((event) => 'runId' in event && event.runId === id),
      filter((event) => event.type === 'run.ended' || (event.type === 'run.moved' && event.status === status)),
      takeUntil(done),
    );
    try {
      return await work(firstValueFrom(ofRun, { defaultValue: undefined })); // the feed may close first
    } finally {
      done.next();
    }
  }
}
