import { Injectable } from '@nestjs/common';
import type { Ask, AskId } from '#contracts';
import { type Append, EventFeed, SharedClock, type Tx } from '#platform';
import { AskReceipts } from './ask-receipts.js';
import { scopeOf } from './asks-rules.js';
import { AskRepository } from './asks.ports.js';

const AT_ONCE = 100;

/** Writes down that asks went to others because nobody had decided. Who may decide follows from the time alone, also before that. */
@Injectable()
export class Escalations {
  constructor(
    private readonly rows: AskRepository,
    private readonly receipts: AskReceipts,
    private readonly feed: EventFeed,
    private readonly time: SharedClock,
  ) {}

  async sweep(): Promise<void> {
    for (const id of await this.rows.unescalated(await this.time.now(), AT_ONCE)) await this.#one(id);
  }

  /** For a locked ask: what is due by now and not written yet. */
  async writeDown(tx: Tx, append: Append, ask: Ask, now: number): Promise<void> {
    const due = (ask.escalations ?? []).filter(({ at }) => at <= now);
    const last = due.at(-1);
    if (!last || !(await this.rows.escalated(tx, ask, due.length))) return;
    const details = { to: last.to, how: last.how, due_at: new Date(last.at).toISOString() };
    await this.receipts.changed(tx, append, ask, { by: null, action: 'ask.escalated', did: 'took an ask to others', at: now, details });
    await append(scopeOf(ask), { type: 'ask.escalated', askId: ask.id, at: last.at });
  }

  #one(id: AskId): Promise<void> {
    return this.feed.write(async (tx, append) => {
      const ask = await this.rows.lock(tx, id);
      const now = await this.time.now(tx);
      if (ask?.status === 'open' && now < ask.expiresAt) await this.writeDown(tx, append, ask, now);
    });
  }
}
