import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ScheduledWork } from '#platform';
import { SearchRepository } from './ports.js';

const EVERY_MS = 1_000;
/** Few enough that nobody waits for it. */
const AT_ONCE = 50;
const MOST_PER_TURN = 5_000;

/** Keeps the search index up with the receipts. What it has not met yet is found by reading, so a search misses nothing. */
@Injectable()
export class SearchIndexing implements OnModuleInit {
  constructor(
    private readonly index: SearchRepository,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.work.every(EVERY_MS, 'Indexing receipts for search', () => this.catchUp());
  }

  async catchUp(most = MOST_PER_TURN): Promise<void> {
    for (let done = 0; done < most;) {
      const added = await this.index.extend(AT_ONCE);
      if (added < AT_ONCE) return;
      done += added;
      await setImmediate();
    }
  }
}
