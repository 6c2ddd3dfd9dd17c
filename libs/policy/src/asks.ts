import { Injectable, type OnModuleInit } from '@nestjs/common';
import { endWith, filter, firstValueFrom, fromEvent, merge, timer } from 'rxjs';
import type {
  Answer,
  ApprovalFact,
  Ask,
  AskDelivery,
  AskId,
  AskKind,
  PlanId,
  Principal,
  QuestionAnswer,
  RememberedApproval,
  Snapshot,
} from '#contracts';
import { type Append, AppError, Clock, EventFeed, newId, ScheduledWork, SharedClock, type Tx } from '#platform';
import { toFact } from './ask-receipts.js';
import { AskAnswers } from './asks-answers.js';
import { AskEnds, notFound, type Unanswered } from './asks-ends.js';
import { asOf, asksSeenBy, maySeeAsk, scopeOf } from './asks-rules.js';
import { AskVotes, type CastVote } from './asks-votes.js';
import { AskRepository, type ClosedBefore } from './asks.ports.js';
import { Escalations } from './escalations.js';
import { type ExtendAsk, Extensions } from './extensions.js';
import { Remembered } from './remembered.js';
import { Rights } from './rights.js';

/** What the asking side knows; the rest follows. Asks of a host say which call they are about, and questions what is asked. */
export type NewAsk = Omit<
  Ask,
  'id' | 'status' | 'createdAt' | 'resolvedAt' | 'votes' | 'lapsed' | 'answers' | 'delivery' | 'deliveryNote' | 'endedWhy'
>;

export interface AskQuery {
  readonly principal: Principal;
  readonly state: 'open' | 'closed';
  readonly kind?: AskKind | undefined;
  /** `next` of the page before; closed ones only. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

export interface AnswerAsk {
  readonly principal: Principal;
  readonly askId: AskId;
  /** The digest that was seen. */
  readonly digest: string;
  /** To questions: one, some or all of those that are still open. */
  readonly answers?: readonly QuestionAnswer[] | undefined;
  /** Instead of answers: a yes or no to an approval, or `deny` to decline what is left of the questions. */
  readonly decision?: Answer | undefined;
  readonly reason?: string | null | undefined;
}

export type AskList = Snapshot<Ask> & { readonly next: string | null };

const SWEEP_EVERY_MS = 5_000;
const SWEEP_AT_ONCE = 100;
const DEFAULT_LIMIT = 100;
const CLOCKS_AGREE_MS = 1_000;
/** Waiting plans of one requester. Half of what a list holds: whoever floods the inbox hides nothing of the others. */
const MAX_WAITING = 50;

/** Owner of asks and votes. An ask is a row: it closes exactly once, and what hangs on it moves in the same transaction. */
@Injectable()
export class Asks implements OnModuleInit {
  constructor(
    private readonly rows: AskRepository,
    private readonly ends: AskEnds,
    private readonly votes: AskVotes,
    private readonly answers: AskAnswers,
    private readonly rights: Rights,
    private readonly extensions: Extensions,
    private readonly escalations: Escalations,
    private readonly remembered: Remembered,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly time: SharedClock,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.work.every(SWEEP_EVERY_MS, 'Ending asks that nobody answered', () => this.expireOverdue());
    this.work.every(SWEEP_EVERY_MS, 'Taking asks to others', () => this.escalations.sweep());
  }

  /**
   * With a remembered approval that still holds, the ask is answered by it at once. A call of a host is asked about once, whatever lane
   * it comes by; when it is another thing under the same id, the earlier ask ends and nothing that was said to it counts.
   */
  async open(tx: Tx, append: Append, asked: NewAsk, remembered?: RememberedApproval): Promise<Ask> {
    const now = await this.time.now(tx);
    if (asked.kind === 'plan_approval' && (await this.rows.countWaiting(tx, asked.requester, now)) >= MAX_WAITING) {
      const words = `${String(MAX_WAITING)} plans of yours wait for a person already; cancel some, or wait until they are decided`;
      throw new AppError('RATE_LIMITED', words, { limit: MAX_WAITING });
    }
    const ask: Ask = {
      ...asked,
      id: newId<AskId>(),
      status: 'open',
      createdAt: now,
      ...this.#timesOf(asked, now),
      resolvedAt: null,
      votes: [],
      ...(asked.questions !== undefined && { answers: [] }),
      ...(asked.host !== undefined && { delivery: 'none', deliveryNote: null }),
    };
    if (!(await this.rows.insert(tx, ask))) {
      const earlier = await this.#ofSameCall(tx, ask);
      if (earlier.digest === ask.digest) return earlier;
      await this.ends.unanswered(tx, append, earlier, 'cancelled', 'The host asks something else under the same call id');
      if (!(await this.rows.insert(tx, ask))) throw new Error('A call of a host is asked about twice');
    }
    await append(scopeOf(ask), { type: 'ask.opened', ask });
    if (!remembered || ask.quorum > 1 || !(await this.remembered.use(tx, append, remembered))) return ask;
    return this.votes.answerBy(tx, append, ask, remembered);
  }

  /** Of all votes that would close an ask, exactly one does; the others hear who was first. */
  vote(cast: CastVote): Promise<Ask> {
    return this.votes.cast(cast);
  }

  /** Whether a vote of this principal would count. */
  async mayVote(principal: Principal, ask: Ask): Promise<boolean> {
    return maySeeAsk(principal, ask) && (await this.rights.of(principal, ask, await this.time.now())).ok;
  }

  /** More time to decide, by whoever may decide. */
  extend(wish: ExtendAsk): Promise<Ask> {
    return this.extensions.extend(wish);
  }

  /** The one answer for every kind of ask: a vote, or answers to questions. */
  answer({ answers, decision, reason, ...of }: AnswerAsk): Promise<Ask> {
    if (decision !== undefined && answers === undefined) return this.vote({ ...of, answer: decision, reason });
    if (answers !== undefined && decision === undefined) return this.answers.give({ ...of, answers });
    throw new AppError('INPUT_INVALID', 'Give either answers or a decision', { askId: of.askId });
  }

  /** Ends an open ask without an answer; does nothing when it is closed already. */
  async cancel(tx: Tx, append: Append, askId: AskId, status: Unanswered): Promise<void> {
    await this.settle(tx, append, askId, status);
  }

  /** The same with the reason that people are told. True: it was open. Whoever settles knows it, so no handler is called after the commit. */
  async settle(tx: Tx, append: Append, askId: AskId, status: Unanswered, why?: string): Promise<boolean> {
    const ask = await this.rows.lock(tx, askId);
    if (ask?.status !== 'open') return false;
    await this.ends.unanswered(tx, append, ask, status, why);
    return true;
  }

  /** Writes down how far a decision has come on its way into the host. False: it cannot come there from where it is. */
  delivered(tx: Tx, append: Append, askId: AskId, delivery: AskDelivery, note: string | null = null): Promise<boolean> {
    return this.answers.delivered(tx, append, askId, delivery, note);
  }

  /** For code that has checked the caller already. */
  async find(id: AskId): Promise<Ask | undefined> {
    const ask = await this.rows.find(id);
    return ask && asOf(ask, await this.time.now());
  }

  /** For a caller who may see it. An id is not a credential: another's ask and no ask look the same. */
  async read(principal: Principal, id: AskId): Promise<Ask> {
    const ask = await this.find(id);
    if (!ask || !maySeeAsk(principal, ask)) throw notFound(id);
    return ask;
  }

  async list({ principal, state, kind, before, limit = DEFAULT_LIMIT }: AskQuery): Promise<AskList> {
    const seq = this.feed.head; // before the read: an event may come twice, never not at all
    const now = await this.time.now();
    const wanted = { seen: asksSeenBy(principal), kind, limit: limit + 1 };
    const found = state === 'open' ? await this.rows.open(wanted, now) : await this.rows.closed(wanted, toPlace(before), now);
    const items = found.slice(0, limit).map((ask) => asOf(ask, now));
    const last = items.at(-1);
    const next = state === 'closed' && found.length > limit && last ? `${String(last.resolvedAt)}_${last.id}` : null;
    return { items, seq, next };
  }

  /** The ask once it is closed, or as it is after `ms` or when the signal aborts. Wherever it is answered, this hears of it. */
  async waitClosed(askId: AskId, ms: number, signal: AbortSignal): Promise<Ask> {
    const heard = new AbortController();
    const closing = this.#nextClosing(askId, heard.signal); // before the read, so that nothing is missed between
    try {
      const ask = await this.#current(askId);
      const left = Math.min(ms, ask.expiresAt - (await this.time.now()));
      if (ask.status !== 'open' || left <= 0 || signal.aborted) return ask;
      await firstValueFrom(merge(closing, timer(left), fromEvent(signal, 'abort')));
      return await this.#current(askId);
    } finally {
      heard.abort();
    }
  }

  /** Votes on a plan as evidence. */
  async approvalsOf(planId: PlanId, tx?: Tx): Promise<readonly ApprovalFact[]> {
    return (await this.rows.votesOfPlan(planId, tx)).map(({ vote, lapsed }) => toFact(vote, { lapsed }));
  }

  /** Writes down the end of every ask whose time is over. */
  async expireOverdue(): Promise<void> {
    for (const id of await this.rows.overdue(await this.time.now(), SWEEP_AT_ONCE)) await this.ends.expire(id);
  }

  async #current(askId: AskId): Promise<Ask> {
    const ask = await this.rows.find(askId);
    if (!ask) throw notFound(askId);
    if (ask.status !== 'open' || (await this.time.now()) < ask.expiresAt) return ask;
    await this.ends.expire(askId);
    return (await this.rows.find(askId)) ?? ask;
  }

  /** Who asks counts by the clock of its server. Where that one is wrong, the times that are given stay as long as they were meant. */
  #timesOf({ expiresAt, dueAt, escalations }: NewAsk, now: number): Pick<Ask, 'expiresAt' | 'dueAt' | 'escalations'> {
    const wrong = now - this.clock.now();
    const by = Math.abs(wrong) < CLOCKS_AGREE_MS ? 0 : wrong;
    return {
      expiresAt: expiresAt + by,
      ...(dueAt !== undefined && { dueAt: dueAt + by }),
      ...(escalations && { escalations: escalations.map((one) => ({ ...one, at: one.at + by })) }),
    };
  }

  async #ofSameCall(tx: Tx, { host }: Ask): Promise<Ask> {
    const earlier = host && (await this.rows.openOfCall(tx, host.hostId, host.callId));
    if (!earlier) throw new Error('A new ask could not be written');
    return earlier;
  }

  #nextClosing(askId: AskId, given: AbortSignal): Promise<unknown> {
    const closings = this.feed.live.pipe(filter((event) => event.type === 'ask.closed' && event.askId === askId));
    // The feed ends when the server stops; then nobody needs to wait any longer.
    return firstValueFrom(merge(closings.pipe(endWith(undefined)), fromEvent(given, 'abort')));
  }
}

const PLACE = /^(?<at>\d{1,15})_(?<id>[0-9a-f-]{36})$/;

function toPlace(before: string | undefined): ClosedBefore | undefined {
  if (before === undefined) return undefined;
  const { at, id } = PLACE.exec(before)?.groups ?? {};
  if (at === undefined || id === undefined) throw new AppError('CURSOR_INVALID', 'This is not the cursor of a page of asks');
  return { at: Number(at), id };
}
