import { Injectable } from '@nestjs/common';
import type { Answer, Ask, AskId, AskStatus } from '#contracts';
import { type Append, AppError, EventFeed, SharedClock, type Tx } from '#platform';
import { AskReceipts } from './ask-receipts.js';
import { AskKinds } from './asks-kinds.js';
import { scopeOf } from './asks-rules.js';
import { AskRepository, type Closing } from './asks.ports.js';

/** Ways to end without a vote. */
export type Unanswered = Extract<AskStatus, 'expired' | 'cancelled' | 'host_gone' | 'unavailable' | 'unknown'>;

/** Owner of how asks end: once, by compare-and-set, with all that hangs on it in the same transaction. */
@Injectable()
export class AskEnds {
  constructor(
    private readonly rows: AskRepository,
    private readonly kinds: AskKinds,
    private readonly receipts: AskReceipts,
    private readonly feed: EventFeed,
    private readonly time: SharedClock,
  ) {}

  async close(tx: Tx, append: Append, ask: Ask, closing: Closing): Promise<Ask> {
    if (!(await this.rows.close(tx, ask.id, closing))) throw await this.alreadyClosed(tx, ask);
    const { status, at, byName, why } = closing;
    const closed: Ask = { ...ask, status, resolvedAt: at, ...(why !== undefined && { endedWhy: why }) };
    await append(scopeOf(ask), { type: 'ask.closed', askId: ask.id, status, by: byName, ...(why !== undefined && { why }) });
    await this.kinds.closed(tx, append, closed);
    await this.receipts.ended(tx, append, closed, at);
    return closed;
  }

  async unanswered(tx: Tx, append: Append, ask: Ask, status: Unanswered, why?: string): Promise<Ask> {
    const at = await this.time.now(tx);
    return this.close(tx, append, ask, { status, at, byName: null, ...(why !== undefined && { why }) });
  }

  /** Writes down the end of an ask whose time is over. */
  async expire(askId: AskId): Promise<void> {
    const ended = await this.feed.write(async (tx, append) => {
      const ask = await this.rows.lock(tx, askId);
      if (ask?.status !== 'open' || (await this.time.now(tx)) < ask.expiresAt) return undefined;
      return this.unanswered(tx, append, ask, 'expired');
    });
    if (ended) this.kinds.afterClosed(ended);
  }

  /** What the closing leads to outside; called after the commit. */
  afterClosed(ask: Ask): void {
    if (ask.status !== 'open') this.kinds.afterClosed(ask);
  }

  /** What one hears who comes late: who was first, when, and with what. */
  async alreadyClosed(tx: Tx, { id }: Ask): Promise<AppError> {
    const ask = await this.rows.find(id, tx);
    if (!ask) return notFound(id);
    if (ask.status === 'expired') return expired(ask);
    const by = await this.rows.closedBy(id, tx);
    const details = { askId: id, by, at: ask.resolvedAt, answer: answerOf(ask.status), status: ask.status };
    return new AppError('ASK_ALREADY_RESOLVED', `This was ${wordOf(ask.status)} already${by === null ? '' : ` by ${by}`}`, details);
  }
}

export function notFound(askId: AskId): AppError {
  return new AppError('ASK_NOT_FOUND', 'No such ask', { askId });
}

export function expired({ id, expiresAt }: Ask): AppError {
  return new AppError('ASK_EXPIRED', 'Nobody answered in time; ask again', { askId: id, at: expiresAt });
}

function answerOf(status: AskStatus): Answer | AskStatus {
  switch (status) {
    case 'approved':
      return 'approve';
    case 'denied':
      return 'deny';
    case 'open':
    case 'answered':
    case 'expired':
    case 'cancelled':
    case 'host_gone':
    case 'unavailable':
    case 'unknown':
      return status;
  }
}

function wordOf(status: AskStatus): string {
  return status.replace('_', ' ');
}
