import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Receipts } from '#receipts';
import { Executor } from './ports.js';

/** Tells the executor which exact values must never leave it. */
@Injectable()
export class KnownSecrets implements OnApplicationBootstrap {
  constructor(
    private readonly receipts: Receipts,
    private readonly executor: Executor,
  ) {}

  onApplicationBootstrap(): void {
    this.executor.protect(this.receipts.secrets());
  }
}
