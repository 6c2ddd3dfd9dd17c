import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { AppEvent, Ask, AskId, AskKind, HostId, Principal, PrincipalId } from '#contracts';
import { SCOPES } from '#contracts';
import { EventFeed } from '#platform';
import { Asks } from '#policy';
import { SessionBoard } from './session-board.js';

/** Reads for the relay itself, which sees every ask of a host. It never votes. */
const ITSELF: Principal = {
  id: 'system' as PrincipalId,
  kind: 'local',
  name: 'Countersign',
  roles: [],
  scopes: [...SCOPES],
  channel: 'cli',
  expiresAt: Number.MAX_SAFE_INTEGER,
};
const KINDS: readonly AskKind[] = ['host_approval', 'host_question'];
const AT_ONCE = 5_000;

/** Owner of the view of open asks by session: told by the one event feed, so that it holds in every process. */
@Injectable()
export class OpenAsks implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #open = new Map<AskId, Ask>();
  #following: Subscription | undefined;

  constructor(
    private readonly asks: Asks,
    private readonly feed: EventFeed,
    private readonly board: SessionBoard,
  ) {}

  onModuleInit(): void {
    this.#following = this.feed.live.subscribe((event) => {
      this.#hear(event);
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const ask of await this.#list('open')) this.#open.set(ask.id, ask);
  }

  onModuleDestroy(): void {
    this.#following?.unsubscribe();
  }

  ofSession(hostId: HostId, hostSessionId: string): readonly Ask[] {
    return [...this.#open.values()].filter(({ host }) => host?.hostId === hostId && host.hostSessionId === hostSessionId);
  }

  ofHost(hostId: HostId): readonly Ask[] {
    return [...this.#open.values()].filter(({ host }) => host?.hostId === hostId);
  }

  all(): readonly Ask[] {
    return [...this.#open.values()];
  }

  ofCall(hostId: HostId, callId: string): Ask | undefined {
    return [...this.#open.values()].find(({ host }) => host?.hostId === hostId && host.callId === callId);
  }

  /** Decisions of this host that have not reached it: a restart stood between. */
  async undelivered(hostId: HostId): Promise<readonly Ask[]> {
    const closed = await this.#list('closed');
    return closed.filter(({ host, delivery, status }) => host?.hostId === hostId && delivery !== 'applied' && wasDecided(status));
  }

  async #list(state: 'open' | 'closed'): Promise<readonly Ask[]> {
    const limit = state === 'open' ? AT_ONCE : 200;
    const lists = await Promise.all(KINDS.map((kind) => this.asks.list({ principal: ITSELF, state, kind, limit })));
    return lists.flatMap(({ items }) => items);
  }

  #hear(event: AppEvent): void {
    if (event.type === 'ask.opened' && event.ask.host) this.#set(event.ask);
    if (event.type === 'ask.answered') this.#change(event.askId, (ask) => ({ ...ask, answers: [...(ask.answers ?? []), event.answer] }));
    if (event.type === 'ask.voted') this.#change(event.askId, (ask) => ({ ...ask, votes: [...ask.votes, event.vote] }));
    if (event.type !== 'ask.closed') return;
    const ask = this.#open.get(event.askId);
    this.#open.delete(event.askId);
    if (ask?.host) this.board.nudge(ask.host.hostSessionId);
  }

  #change(id: AskId, change: (ask: Ask) => Ask): void {
    const ask = this.#open.get(id);
    if (ask) this.#set(change(ask));
  }

  #set(ask: Ask): void {
    this.#open.set(ask.id, ask);
    if (ask.host) this.board.nudge(ask.host.hostSessionId);
  }
}

function wasDecided(status: Ask['status']): boolean {
  return status === 'approved' || status === 'denied' || status === 'answered' || status === 'expired';
}
