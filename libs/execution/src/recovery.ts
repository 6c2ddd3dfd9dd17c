import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ScheduledWork } from '#platform';
import { type Cause, Interruptions } from './interruptions.js';
import { type DeadOwner, Lease } from './lease.js';
import type { LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';
import { type LeasedRun, RunRepository } from './repositories.js';
import { RunStarts } from './run-starts.js';

const LOOK_EVERY_MS = 10_000;

/** Finds runs that nobody carries out any more, at the start and from time to time. Touches only runs whose owner is dead. */
@Injectable()
export class Recovery implements OnApplicationBootstrap {
  readonly #log = new Logger(Recovery.name);

  constructor(
    private readonly runs: RunRepository,
    private readonly lease: Lease,
    private readonly live: LiveRuns,
    private readonly starts: RunStarts,
    private readonly interruptions: Interruptions,
    private readonly work: ScheduledWork,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.recover();
    this.work.every(LOOK_EVERY_MS, 'Recovering runs of dead owners', () => this.recover());
  }

  async recover(): Promise<void> {
    const mine = this.live.all();
    const leased = await this.runs.leased();
    this.#dropTaken(mine, leased);
    const dead = await this.lease.dead(leased.map(({ leaseOwner }) => leaseOwner));
    for (const run of leased) {
      const cause = this.#causeOf(run, dead);
      if (cause) await this.#interrupt(run, cause);
    }
    const owning = new Set((await this.runs.leased()).map(({ leaseOwner }) => leaseOwner));
    for (const { id } of dead) if (!owning.has(id)) await this.lease.forget(id);
  }

  #causeOf(leased: LeasedRun, dead: readonly DeadOwner[]): Cause | undefined {
    const owner = dead.find(({ id }) => id === leased.leaseOwner);
    if (owner) return owner.isHere ? 'owner_died' : 'owner_silent';
    return this.#isLost(leased) ? 'start_lost' : undefined;
  }

  /** A start of our own whose commit got lost on the way back: it is written, but nobody carries it out. */
  #isLost({ run, leaseOwner }: LeasedRun): boolean {
    return leaseOwner === this.lease.id && !this.live.find(run.id) && !this.starts.isPending(run.id);
  }

  /**
   * Runs of ours that others have ended, because nothing was heard of this process for too long: whatever of them is still at work
   * has no leave any more.
   */
  #dropTaken(mine: readonly LiveRun[], leased: readonly LeasedRun[]): void {
    const unended = new Set(leased.map(({ run }) => run.id));
    for (const live of mine) {
      const { run } = live.started;
      if (unended.has(run.id) || !this.live.find(run.id)) continue;
      this.#log.warn(`Run ${run.id} was ended by another process; what is left of it is ended here`);
      this.live.stop(live, 'owner_died');
    }
  }

  /** One run that cannot be ended now must not keep the others, or the start, waiting. */
  async #interrupt(run: LeasedRun, cause: Cause): Promise<void> {
    try {
      await this.interruptions.interrupt(run, cause);
    } catch (error) {
      this.#log.error(`Run ${run.run.id} could not be recovered; it is tried again`, error);
    }
  }
}
