import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, ScheduledWork } from '#platform';
import { ExecutionConfig } from './execution.config.js';
import { Plans } from './plans.js';
import { SessionEndings } from './session-endings.js';

const LOOK_EVERY_MS = 5_000;

/** Ends what nobody came back for: approved plans that were not run, sessions in which nothing happens. */
@Injectable()
export class Housekeeping implements OnModuleInit {
  constructor(
    private readonly plans: Plans,
    private readonly sessions: SessionEndings,
    private readonly config: ExecutionConfig,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.work.every(LOOK_EVERY_MS, 'Expiring plans and sessions', () => this.look());
  }

  async look(): Promise<void> {
    await this.plans.expireOverdue();
    await this.sessions.expireIdle(this.clock.now() - this.config.sessionTimeoutMs);
  }
}
