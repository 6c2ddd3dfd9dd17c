import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Claims } from './claims.js';
import { Lease } from './lease.js';
import type { LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';
import { within } from './within.js';

/** Time for starts that are being written: a run that begins now is ended like the others. */
const ALL_BEGUN_WITHIN_MS = 5_000;
/** Time for every run to be ended and its receipt to be written; then the process goes all the same. */
const ALL_ENDED_WITHIN_MS = 15_000;

/** An orderly end: nothing new starts, every run of this process ends as interrupted, with a receipt that says why. */
@Injectable()
export class Shutdown implements OnModuleDestroy {
  constructor(
    private readonly claims: Claims,
    private readonly live: LiveRuns,
    private readonly lease: Lease,
  ) {}

  async onModuleDestroy(): Promise<void> {
    const begun = this.claims.close();
    const first = this.#stopAll(); // at once: connections that close now must not be the reason
    await within(begun, ALL_BEGUN_WITHIN_MS);
    const runs = new Set([...first, ...this.#stopAll()]);
    await within(Promise.allSettled([...runs].map(({ ended }) => ended)), ALL_ENDED_WITHIN_MS);
    this.live.giveUp();
    if (this.live.size === 0) await this.lease.forget(this.lease.id);
  }

  #stopAll(): readonly LiveRun[] {
    const runs = this.live.all();
    for (const run of runs) this.live.stop(run, 'shutdown');
    return runs;
  }
}
