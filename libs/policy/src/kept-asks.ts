import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '#receipts';
import { AskRepository } from './asks.ports.js';

/** Tells retention how closed asks are deleted: they go with the plans that they were about. */
@Injectable()
export class KeptAsks implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly asks: AskRepository,
  ) {}

  onModuleInit(): void {
    this.retention.register('plan', (tx, overdue) => this.asks.deleteClosed(tx, overdue));
  }
}
