import { Injectable } from '@nestjs/common';
import type { Ask, AskDelivery, AskId, GivenAnswer, Principal, QuestionAnswer } from '#contracts';
import { type Append, EventFeed, SharedClock, type Tx, unwrap } from '#platform';
import { AskEnds, expired, notFound } from './asks-ends.js';
import { maySeeAsk, scopeOf } from './asks-rules.js';
import { mismatch } from './asks-votes.js';
import { AskRepository } from './asks.ports.js';
import { checkAnswers, remainingOf } from './core/answers.js';
import { Proofs } from './proofs.js';
import { Rights } from './rights.js';

export interface GiveAnswers {
  readonly principal: Principal;
  readonly askId: AskId;
  /** The digest that was seen. */
  readonly digest: string;
  readonly answers: readonly QuestionAnswer[];
}

/** Where a delivery may come from. What is applied stays so; what failed may be sent again. */
const BEFORE: Readonly<Record<AskDelivery, readonly AskDelivery[]>> = {
  none: [],
  sent: ['none', 'failed'],
  accepted: ['none', 'sent'],
  applied: ['none', 'sent', 'accepted'],
  failed: ['none', 'sent', 'accepted'],
};

/** Owner of what asks of a host have besides a yes or no: answers to questions, and the way of a decision into the host. */
@Injectable()
export class AskAnswers {
  constructor(
    private readonly rows: AskRepository,
    private readonly rights: Rights,
    private readonly proofs: Proofs,
    private readonly ends: AskEnds,
    private readonly feed: EventFeed,
    private readonly time: SharedClock,
  ) {}

  /** All of these answers count or none; with the last one the ask closes. */
  async give({ principal, askId, digest, answers }: GiveAnswers): Promise<Ask> {
    const seen = await this.rows.find(askId);
    if (!seen || !maySeeAsk(principal, seen)) throw notFound(askId);
    if (seen.status === 'open') {
      unwrap(await this.rights.of(principal, seen, await this.time.now()));
      if (seen.stepUp === true) await this.proofs.require(principal);
    }
    const result = await this.feed.write(async (tx, append) => {
      const ask = await this.rows.lock(tx, askId);
      if (!ask) throw notFound(askId);
      if (ask.status !== 'open') throw await this.ends.alreadyClosed(tx, ask);
      const now = await this.time.now(tx);
      if (now >= ask.expiresAt) return this.ends.unanswered(tx, append, ask, 'expired');
      if (digest !== ask.digest) throw mismatch(ask);
      unwrap(checkAnswers(ask, answers));
      return this.#add(tx, append, ask, principal, answers, now);
    });
    this.ends.afterClosed(result);
    if (result.status === 'expired') throw expired(result);
    return result;
  }

  /** False: the decision is not where such a step begins, so nothing is written. */
  async delivered(tx: Tx, append: Append, askId: AskId, to: AskDelivery, note: string | null): Promise<boolean> {
    if (!(await this.rows.delivered(tx, askId, { to, from: BEFORE[to], note }))) return false;
    const ask = await this.rows.find(askId, tx);
    if (ask) await append(scopeOf(ask), { type: 'ask.delivery', askId, delivery: to, note });
    return true;
  }

  async #add(tx: Tx, append: Append, ask: Ask, principal: Principal, answers: readonly QuestionAnswer[], at: number): Promise<Ask> {
    const by = { by: principal.id, byName: principal.name, channel: principal.channel, at };
    const given = answers.map(({ id, selected, custom }): GivenAnswer => ({
      id,
      selected,
      ...(custom !== undefined && { custom }),
      ...by,
    }));
    const answered: Ask = { ...ask, answers: [...(ask.answers ?? []), ...given] };
    await this.rows.answered(tx, ask.id, answered.answers ?? []);
    for (const answer of given) await append(scopeOf(ask), { type: 'ask.answered', askId: ask.id, answer });
    if (remainingOf(answered).length > 0) return answered;
    return this.ends.close(tx, append, answered, { status: 'answered', at, byName: principal.name });
  }
}
