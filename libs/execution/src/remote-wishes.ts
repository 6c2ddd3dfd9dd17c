import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ScheduledWork } from '#platform';
import { Lease } from './lease.js';
import { LiveRuns } from './live-runs.js';
import { RunRepository } from './repositories.js';

const LOOK_EVERY_MS = 250;

/** Carries out what other processes wish for the runs of this one: a run is paused or ended where it lives. */
@Injectable()
export class RemoteWishes implements OnModuleInit {
  constructor(
    private readonly runs: RunRepository,
    private readonly live: LiveRuns,
    private readonly lease: Lease,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.work.every(LOOK_EVERY_MS, 'Looking for wishes of other processes', () => this.look());
  }

  async look(): Promise<void> {
    if (this.live.size === 0) return;
    for (const { runId, wish, reason } of await this.runs.takeWishes(this.lease.id)) {
      const live = this.live.find(runId);
      if (!live) continue;
      if (wish === 'cancel') this.live.stop(live, reason ?? 'caller');
      else live.started.kind[wish](runId);
    }
  }
}
