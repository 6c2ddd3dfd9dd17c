import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '#platform';
import { Executor } from './ports.js';

/** Makes `/ready` tell whether commands can run. */
@Injectable()
export class ExecutorReadiness implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly executor: Executor,
  ) {}

  onModuleInit(): void {
    this.readiness.register('executor', async () => {
      await this.executor.report();
    });
  }
}
