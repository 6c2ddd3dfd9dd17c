import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { filter, type Subscription } from 'rxjs';
import type { Principal } from '#contracts';
import { Clock, EventFeed, PrincipalDirectory, ScheduledWork } from '#platform';

const MAX_PER_PRINCIPAL = 32;
const SWEEP_MS = 15_000;

/** Owner of the long streams of MCP clients: bounded per caller, and ended when the caller's right to be here ends. */
@Injectable()
export class OpenStreams implements OnModuleInit, OnModuleDestroy {
  readonly #open = new Map<ServerResponse, Principal>();
  #watching: Subscription | undefined;

  constructor(
    private readonly directory: PrincipalDirectory,
    private readonly clock: Clock,
    private readonly scheduled: ScheduledWork,
    private readonly feed: EventFeed,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  onModuleInit(): void {
    this.scheduled.every(SWEEP_MS, 'Ending MCP streams of callers that may no longer listen', () => this.sweep());
    // Whoever is revoked or disabled is cut off as soon as that is known here, wherever it was done.
    const changes = this.feed.live.pipe(filter(({ type }) => type === 'person.changed' || type === 'token.changed'));
    this.#watching = changes.subscribe(() => {
      if (this.#open.size > 0) void this.sweep();
    });
  }

  onModuleDestroy(): void {
    this.#watching?.unsubscribe();
    for (const reply of this.#open.keys()) reply.destroy();
  }

  /** False when the caller has too many already, or has left. */
  add(reply: ServerResponse, principal: Principal): boolean {
    if (reply.destroyed) return false; // its close has been, so nothing would take it out again
    const own = [...this.#open.values()].filter(({ id }) => id === principal.id);
    if (own.length >= MAX_PER_PRINCIPAL) return false;
    this.#open.set(reply, principal);
    reply.once('close', () => this.#open.delete(reply));
    return true;
  }

  async sweep(): Promise<void> {
    for (const [reply, principal] of this.#open) {
      const mayStay = principal.expiresAt > this.clock.now() && (await this.directory.recheck(principal)) !== undefined;
      if (!mayStay) reply.destroy();
    }
  }
}
