import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '#receipts';
import { PlanRepository, RunRepository } from './repositories.js';

/** Tells retention how output and plans are deleted; their receipts stay in the ledger. */
@Injectable()
export class KeptData implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly plans: PlanRepository,
    private readonly runs: RunRepository,
  ) {}

  onModuleInit(): void {
    this.retention.register('output', (tx, overdue) => this.runs.deleteOutput(tx, overdue));
    this.retention.register('plan', (tx, overdue) => this.plans.deleteEnded(tx, overdue));
  }
}
