import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { PrincipalId } from '#contracts';
import { Clock, ScheduledWork } from '#platform';
import { ConsoleSessionRepository, TokenRepository } from './ports.js';

const WRITE_EVERY_MS = 60_000;

/** Owns when tokens and console sessions were last used: noted in memory, written once a minute and at shutdown. */
@Injectable()
export class LastSeen implements OnModuleInit, OnModuleDestroy {
  #tokens = new Map<PrincipalId, number>();
  #sessions = new Map<string, number>();

  constructor(
    private readonly tokens: TokenRepository,
    private readonly sessions: ConsoleSessionRepository,
    private readonly work: ScheduledWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.work.every(WRITE_EVERY_MS, 'Writing when tokens and sessions were last used', () => this.write());
  }

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }

  noteToken(id: PrincipalId): void {
    this.#tokens.set(id, this.clock.now());
  }

  noteSession(hash: string): void {
    this.#sessions.set(hash, this.clock.now());
  }

  async write(): Promise<void> {
    const [tokens, sessions] = [this.#tokens, this.#sessions];
    this.#tokens = new Map();
    this.#sessions = new Map();
    await this.tokens.sawUse(tokens);
    await this.sessions.sawUse(sessions);
  }
}
