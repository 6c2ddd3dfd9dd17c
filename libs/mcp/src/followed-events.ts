import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { AppEvent } from '#contracts';
import { EventFeed } from '#platform';
import { McpChanges } from './changes.js';

/** Turns the event feed into news for MCP clients, whichever process caused it. */
@Injectable()
export class FollowedEvents implements OnModuleInit, OnModuleDestroy {
  #following: Subscription | undefined;

  constructor(
    private readonly feed: EventFeed,
    private readonly changes: McpChanges,
  ) {}

  onModuleInit(): void {
    this.#following = this.feed.live.subscribe((event) => {
      const planId = planIn(event);
      if (planId !== undefined) this.changes.resourceUpdated(`plan://${planId}`);
      if (event.type === 'plan.created' || event.type === 'receipt.written') this.changes.listChanged('resources');
    });
  }

  onModuleDestroy(): void {
    this.#following?.unsubscribe();
  }
}

function planIn(event: AppEvent): string | undefined {
  const moves = event.type === 'plan.moved' || event.type === 'run.moved' || event.type === 'run.ended';
  return moves ? event.planId : undefined;
}
