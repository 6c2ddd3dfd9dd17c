import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Claims } from './claims.js';
import { Lease } from './lease.js';
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
    await within(this.claims.close(), ALL_BEGUN_WITHIN_MS);
    const runs = this.live.all();
    for (const run of runs) this.live.stop(run, 'shutdown');
    await within(Promise.allSettled(runs.map(({ ended }) => ended)), ALL_ENDED_WITHIN_MS);
    this.live.giveUp();
    if (this.live.size === 0) await this.lease.forget(this.lease.id);
  }
}
