import { Injectable } from '@nestjs/common';
import type { Ask, AskId, Principal } from '#contracts';
import { type Append, AppError, EventFeed, SharedClock, type Tx, unwrap } from '#platform';
import { AskReceipts } from './ask-receipts.js';
import { AskEnds, expired, notFound } from './asks-ends.js';
import { AskKinds } from './asks-kinds.js';
import { maySeeAsk, scopeOf } from './asks-rules.js';
import { AskRepository } from './asks.ports.js';
import { Rights } from './rights.js';

export interface ExtendAsk {
  readonly principal: Principal;
  readonly askId: AskId;
  /** The new end. */
  readonly until: number;
  readonly reason?: string | null | undefined;
}

/** From when it was asked. A question that is older than this is asked anew. */
const LONGEST_MS = 14 * 86_400_000;

/** Owner of longer times: whoever may decide an ask may give it more time, up to a bound. It decides nothing. */
@Injectable()
export class Extensions {
  constructor(
    private readonly rows: AskRepository,
    private readonly rights: Rights,
    private readonly kinds: AskKinds,
    private readonly ends: AskEnds,
    private readonly receipts: AskReceipts,
    private readonly feed: EventFeed,
    private readonly time: SharedClock,
  ) {}

  async extend(wish: ExtendAsk): Promise<Ask> {
    const { principal, askId } = wish;
    const seen = await this.rows.find(askId);
    if (!seen || !maySeeAsk(principal, seen)) throw notFound(askId);
    if (seen.status === 'open') unwrap(await this.rights.of(principal, seen, await this.time.now()));
    const result = await this.feed.write(async (tx, append) => {
      const ask = await this.rows.lock(tx, askId);
      if (!ask) throw notFound(askId);
      if (ask.status !== 'open') throw await this.ends.alreadyClosed(tx, ask);
      const now = await this.time.now(tx);
      if (now >= ask.expiresAt) return this.ends.unanswered(tx, append, ask, 'expired');
      return this.#extended(tx, append, ask, wish, now);
    });
    this.ends.afterClosed(result);
    if (result.status === 'expired') throw expired(result);
    return result;
  }

  async #extended(tx: Tx, append: Append, ask: Ask, { principal, until, reason = null }: ExtendAsk, now: number): Promise<Ask> {
    const most = ask.createdAt + LONGEST_MS;
    if (until <= ask.expiresAt || until > most)
      throw new AppError('INPUT_INVALID', 'The new end comes after the old one and at most two weeks after the question', {
        askId: ask.id,
        after: ask.expiresAt,
        atMost: most,
      });
    const dueAt = ask.dueAt === undefined ? null : Math.max(ask.dueAt, until);
    if (!(await this.rows.extend(tx, ask.id, { from: ask.expiresAt, expiresAt: until, dueAt })))
      throw await this.ends.alreadyClosed(tx, ask);
    const after: Ask = { ...ask, expiresAt: until, ...(dueAt !== null && { dueAt }) };
    await this.kinds.extended(tx, append, after);
    const details = { from: new Date(ask.expiresAt).toISOString(), until: new Date(until).toISOString(), reason };
    const change = { by: principal, action: 'ask.extended', did: 'gave more time', at: now, details } as const;
    await this.receipts.changed(tx, append, ask, change);
    await append(scopeOf(ask), { type: 'ask.extended', askId: ask.id, expiresAt: until, dueAt, by: principal.name, reason });
    return after;
  }
}
