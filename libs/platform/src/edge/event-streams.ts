import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Subscription } from 'rxjs';
import type { AppEvent, Principal, Resync, SessionId } from '#contracts';
import { maySee } from '../core/may-see.js';
import { EventFeed } from '../event-feed.js';
import { HotStreams, type HotStream } from './hot-streams.js';

export interface StreamRequest {
  readonly principal: Principal;
  /** Number of the last event that the viewer has; undefined starts with what happens from now on. */
  readonly cursor: number | undefined;
  /** Only events of this session. */
  readonly session: SessionId | undefined;
}

interface Subscriber {
  readonly stream: HotStream;
  readonly session: SessionId | undefined;
  cursor: number;
}

/** Owner of the open event streams: one feed subscription, one serialised frame per event, many replies. */
@Injectable()
export class EventStreams implements OnModuleInit, OnModuleDestroy {
  readonly #subscribers = new Set<Subscriber>();
  #running: Subscription | undefined;

  constructor(
    private readonly feed: EventFeed,
    private readonly streams: HotStreams,
  ) {}

  /** How many viewers follow the live events. */
  get subscribers(): number {
    return this.#subscribers.size;
  }

  onModuleInit(): void {
    this.#running = this.feed.live.subscribe((event) => {
      if (this.#subscribers.size === 0) return;
      const frame = toFrame(event);
      for (const subscriber of this.#subscribers) send(subscriber, event, frame);
    });
  }

  onModuleDestroy(): void {
    this.#running?.unsubscribe();
  }

  /** Replays what was missed, then joins the live ones in the same tick: no gap, no duplicate. */
  async open(reply: FastifyReply, { principal, cursor, session }: StreamRequest): Promise<void> {
    const stream = this.streams.open(reply, principal, () => this.#subscribers.delete(subscriber));
    const subscriber: Subscriber = { stream, session, cursor: cursor ?? this.feed.head };
    try {
      do await this.#replay(subscriber);
      while (stream.isOpen && subscriber.cursor < this.feed.head);
    } catch (error) {
      stream.destroy(); // it will come back with its cursor
      throw error;
    }
    if (stream.isOpen) this.#subscribers.add(subscriber);
  }

  async #replay(subscriber: Subscriber): Promise<void> {
    const missed = await this.feed.missed(subscriber.cursor);
    if ('resync' in missed) {
      const resync: Resync = { type: 'resync', seq: missed.resync };
      subscriber.cursor = resync.seq;
      subscriber.stream.write(toFrame(resync));
      return;
    }
    for (const event of missed.events) {
      await subscriber.stream.drained();
      send(subscriber, event, undefined);
    }
  }
}

function toFrame(event: AppEvent | Resync): Buffer {
  return Buffer.from(`id: ${String(event.seq)}\ndata: ${JSON.stringify(event)}\n\n`);
}

function send(subscriber: Subscriber, event: AppEvent, frame: Buffer | undefined): void {
  if (event.seq <= subscriber.cursor) return;
  subscriber.cursor = event.seq;
  if (subscriber.session !== undefined && event.sessionId !== subscriber.session) return;
  if (maySee(subscriber.stream.principal, event)) subscriber.stream.write(frame ?? toFrame(event));
}
