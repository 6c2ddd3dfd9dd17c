import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, ScheduledWork } from '#platform';
import { Interruptions } from './interruptions.js';
import { Lease } from './lease.js';
import { LiveRuns } from './live-runs.js';
import { type LeasedRun, RunRepository } from './repositories.js';

const LOOK_EVERY_MS = 10_000;
/** A start whose commit got lost on the way back is written, but nobody here carries it out. */
const LOST_AFTER_MS = 30_000;

/** Finds runs that nobody carries out any more, at the start and from time to time. Touches only runs whose owner is dead. */
@Injectable()
export class Recovery implements OnApplicationBootstrap {
  readonly #log = new Logger(Recovery.name);

  constructor(
    private readonly runs: RunRepository,
    private readonly lease: Lease,
    private readonly live: LiveRuns,
    private readonly interruptions: Interruptions,
    private readonly work: ScheduledWork,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.recover();
    this.work.every(LOOK_EVERY_MS, 'Recovering runs of dead owners', () => this.recover());
  }

  async recover(): Promise<void> {
    const dead = await this.lease.dead();
    const leased = await this.runs.leased();
    for (const run of leased) {
      const owner = dead.find(({ id }) => id === run.leaseOwner);
      if (owner ?? this.#isLost(run)) await this.#interrupt(run, owner?.isHere ?? true);
    }
    const owning = new Set((await this.runs.leased()).map(({ leaseOwner }) => leaseOwner));
    for (const { id } of dead) if (!owning.has(id)) await this.lease.forget(id);
  }

  #isLost({ run, leaseOwner }: LeasedRun): boolean {
    return leaseOwner === this.lease.id && !this.live.find(run.id) && this.clock.now() - run.startedAt > LOST_AFTER_MS;
  }

  /** One run that cannot be ended now must not keep the others, or the start, waiting. */
  async #interrupt(run: LeasedRun, isHere: boolean): Promise<void> {
    try {
      await this.interruptions.interrupt(run, isHere);
    } catch (error) {
      this.#log.error(`Run ${run.run.id} could not be recovered; it is tried again`, error);
    }
  }
}
