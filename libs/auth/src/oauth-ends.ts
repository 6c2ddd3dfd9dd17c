import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock, EventFeed, ScheduledWork } from '#platform';
import { KnownCallers } from './known-callers.js';
import { OauthRepository, TokenRepository } from './ports.js';
import { changed } from './tokens.js';

const SWEEP_MS = 10 * 60_000;
const UNUSED_MS = 24 * 60 * 60_000;

/** Owner of how grants end without a person: when something that counts once came twice, and when their time is over. */
@Injectable()
export class OauthEnds implements OnModuleInit {
  readonly #log = new Logger(OauthEnds.name);

  constructor(
    private readonly oauth: OauthRepository,
    private readonly tokens: TokenRepository,
    private readonly known: KnownCallers,
    private readonly feed: EventFeed,
    private readonly work: ScheduledWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.work.every(SWEEP_MS, 'Removing ended sign-ins of clients', () => this.sweep());
  }

  /** Whoever holds a copy loses it together with the one it was copied from. Streams end with the event. */
  async end(grantKey: string): Promise<void> {
    const held = await this.oauth.holderOf(grantKey);
    await this.feed.write(async (tx, append) => {
      await this.oauth.removeGrant(tx, grantKey);
      if (!held || !(await this.tokens.revoke(tx, held.token.id, this.clock.now()))) return;
      const { owner, event } = changed(held.token);
      await append({ owner, sessionId: null }, event);
    });
    this.known.forgetAll();
    if (held) this.#log.warn(`A code or refresh token of the client "${held.token.name}" came twice; its sign-in is over`);
  }

  async sweep(): Promise<void> {
    const now = this.clock.now();
    await this.oauth.removeEnded(now, now - UNUSED_MS);
  }
}
