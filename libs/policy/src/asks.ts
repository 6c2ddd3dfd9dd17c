import { Injectable, type OnModuleInit } from '@nestjs/common';
import { endWith, filter, firstValueFrom, fromEvent, merge, timer } from 'rxjs';
import type {
  Answer,
  ApprovalFact,
  Ask,
  AskId,
  AskKind,
  AskStatus,
  EventScope,
  PlanId,
  Principal,
  RememberedApproval,
  RememberScope,
  Snapshot,
  Vote,
  VoteId,
} from '#contracts';
import { type Append, AppError, Clock, EventFeed, newId, ScheduledWork, type Tx, unwrap } from '#platform';
import { AskKinds } from './asks-kinds.js';
import { asOf, decided, maySeeAsk, mayDecide, mayVote, personOf, asksSeenBy, type Voter } from './asks-rules.js';
import { Remembered, refusalToRemember, refused } from './remembered.js';
import { Voters } from './voters.js';
import { AskRepository, type ClosedBefore, type Closing } from './asks.ports.js';

/** What the asking side knows; the rest follows. */
export type NewAsk = Omit<Ask, 'id' | 'status' | 'createdAt' | 'resolvedAt' | 'votes'> & {
  /** Host questions only: what is asked. */
  readonly questions?: unknown;
};

export interface CastVote {
  readonly principal: Principal;
  readonly askId: AskId;
  readonly answer: Answer;
  /** The digest that the voter saw. */
  readonly digest: string;
  readonly reason?: string | null | undefined;
  /** `session`: the approval counts again for the same family of commands, until the session ends. */
  readonly remember?: RememberScope | undefined;
}

export interface AskQuery {
  readonly principal: Principal;
  readonly state: 'open' | 'closed';
  readonly kind?: AskKind | undefined;
  /** `next` of the page before; closed ones only. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** Ways to end without a vote. */
export type Unanswered = Extract<AskStatus, 'expired' | 'cancelled' | 'host_gone' | 'unavailable' | 'unknown'>;

export type AskList = Snapshot<Ask> & { readonly next: string | null };

const SWEEP_EVERY_MS = 5_000;
const SWEEP_AT_ONCE = 100;
const DEFAULT_LIMIT = 100;
/** Waiting plans of one requester. Half of what a list holds: whoever floods the inbox hides nothing of the others. */
const MAX_WAITING = 50;

/** Owner of asks and votes. An ask is a row: it closes exactly once, and what hangs on it moves in the same transaction. */
@Injectable()
export class Asks implements OnModuleInit {
  constructor(
    private readonly rows: AskRepository,
    private readonly kinds: AskKinds,
    private readonly voters: Voters,
    private readonly remembered: Remembered,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.work.every(SWEEP_EVERY_MS, 'Ending asks that nobody answered', () => this.expireOverdue());
  }

  /** With a remembered approval that still holds, the ask is answered by it at once. */
  async open(tx: Tx, append: Append, { questions, ...asked }: NewAsk, remembered?: RememberedApproval): Promise<Ask> {
    const now = this.clock.now();
    if (asked.kind === 'plan_approval' && (await this.rows.countWaiting(tx, asked.requester, now)) >= MAX_WAITING) {
      const words = `${String(MAX_WAITING)} plans of yours wait for a person already; cancel some, or wait until they are decided`;
      throw new AppError('RATE_LIMITED', words, { limit: MAX_WAITING });
    }
    const ask: Ask = { ...asked, id: newId<AskId>(), status: 'open', createdAt: now, resolvedAt: null, votes: [] };
    await this.rows.insert(tx, { ask, questions: questions === undefined ? null : JSON.stringify(questions) });
    await append(scopeOf(ask), { type: 'ask.opened', ask });
    return remembered && (await this.remembered.use(tx, append, remembered)) ? this.#answer(tx, append, ask, remembered) : ask;
  }

  /** Of all votes that would close an ask, exactly one does; the others hear who was first. */
  async vote(cast: CastVote): Promise<Ask> {
    const voter = await this.voters.of(cast.principal);
    const result = await this.feed.write(async (tx, append) => {
      const ask = await this.rows.lock(tx, cast.askId);
      if (!ask || !maySeeAsk(cast.principal, ask)) throw notFound(cast.askId);
      if (ask.status !== 'open') throw await this.#alreadyClosed(tx, ask);
      // Late is late, and the end is written down before the voter hears of it.
      if (this.clock.now() >= ask.expiresAt) return this.#close(tx, append, ask, this.#unanswered('expired'));
      return this.#count(tx, append, ask, cast, voter);
    });
    if (result.status === 'expired') throw expired(result);
    return result;
  }

  /** Whether a vote of this principal would count. */
  async mayVote(principal: Principal, ask: Ask): Promise<boolean> {
    return maySeeAsk(principal, ask) && mayVote(principal, ask).ok && mayDecide(await this.voters.of(principal), ask).ok;
  }

  /** Ends an open ask without an answer; does nothing when it is closed already. */
  async cancel(tx: Tx, append: Append, askId: AskId, status: Unanswered): Promise<void> {
    const ask = await this.rows.lock(tx, askId);
    if (ask?.status === 'open') await this.#close(tx, append, ask, this.#unanswered(status));
  }

  /** For code that has checked the caller already. */
  async find(id: AskId): Promise<Ask | undefined> {
    const ask = await this.rows.find(id);
    return ask && asOf(ask, this.clock.now());
  }

  /** For a caller who may see it. An id is not a credential: another's ask and no ask look the same. */
  async read(principal: Principal, id: AskId): Promise<Ask> {
    const ask = await this.find(id);
    if (!ask || !maySeeAsk(principal, ask)) throw notFound(id);
    return ask;
  }

  async list({ principal, state, kind, before, limit = DEFAULT_LIMIT }: AskQuery): Promise<AskList> {
    const seq = this.feed.head; // before the read: an event may come twice, never not at all
    const now = this.clock.now();
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
      const left = Math.min(ms, ask.expiresAt - this.clock.now());
      if (ask.status !== 'open' || left <= 0 || signal.aborted) return ask;
      await firstValueFrom(merge(closing, timer(left), fromEvent(signal, 'abort')));
      return await this.#current(askId);
    } finally {
      heard.abort();
    }
  }

  /** Votes on a plan as evidence. */
  async approvalsOf(planId: PlanId, tx?: Tx): Promise<readonly ApprovalFact[]> {
    return (await this.rows.votesOfPlan(planId, tx)).map(({ by, byName, channel, answer, reason, at }) => ({
      by,
      name: byName,
      channel,
      answer,
      reason,
      at: new Date(at).toISOString(),
    }));
  }

  /** Writes down the end of every ask whose time is over. */
  async expireOverdue(): Promise<void> {
    for (const id of await this.rows.overdue(this.clock.now(), SWEEP_AT_ONCE)) await this.#expire(id);
  }

  async #current(askId: AskId): Promise<Ask> {
    const ask = await this.rows.find(askId);
    if (!ask) throw notFound(askId);
    if (ask.status !== 'open' || this.clock.now() < ask.expiresAt) return ask;
    await this.#expire(askId);
    return (await this.rows.find(askId)) ?? ask;
  }

  #expire(askId: AskId): Promise<void> {
    return this.feed.write(async (tx, append) => {
      const ask = await this.rows.lock(tx, askId);
      if (ask?.status === 'open' && this.clock.now() >= ask.expiresAt) await this.#close(tx, append, ask, this.#unanswered('expired'));
    });
  }

  async #count(tx: Tx, append: Append, ask: Ask, { principal, answer, digest, reason, remember }: CastVote, voter: Voter): Promise<Ask> {
    unwrap(mayVote(principal, ask));
    unwrap(mayDecide(voter, ask));
    if (digest !== ask.digest)
      throw new AppError('ASK_DIGEST_MISMATCH', 'This vote is about something else than what is asked now', { askId: ask.id });
    const wantsMemory = remember === 'session' && answer === 'approve';
    const refusal = wantsMemory ? refusalToRemember(principal, ask) : null;
    if (refusal !== null) throw refused(ask, refusal);
    const vote: Vote = {
      id: newId<VoteId>(),
      askId: ask.id,
      by: principal.id,
      byName: principal.name,
      channel: principal.channel,
      answer,
      reason: reason ?? null,
      digest,
      at: this.clock.now(),
    };
    const isFirst = await this.rows.addVote(tx, { vote, voter: personOf(principal) });
    if (!isFirst) throw new AppError('VOTE_ALREADY_GIVEN', 'You have voted on this already', { askId: ask.id });
    await append(scopeOf(ask), { type: 'ask.voted', askId: ask.id, vote });
    const voted = { ...ask, votes: [...ask.votes, vote] };
    const status = decided(
      ask,
      voted.votes.map((given) => given.answer),
    );
    if (!status) return voted;
    const closed = await this.#close(tx, append, voted, { status, at: vote.at, byName: vote.byName });
    if (wantsMemory) await this.remembered.add(tx, append, closed, vote);
    return closed;
  }

  /** The vote that a remembered approval gives: of the person who gave it, on this very digest, through a channel of its own. */
  async #answer(tx: Tx, append: Append, ask: Ask, { id: rememberedId, by, byName, at: givenAt }: RememberedApproval): Promise<Ask> {
    const at = this.clock.now();
    const reason = `Remembered for this session from ${new Date(givenAt).toISOString()}`;
    const given = { by, byName, channel: 'remembered', answer: 'approve', reason, digest: ask.digest, at, rememberedId } as const;
    const vote: Vote = { id: newId<VoteId>(), askId: ask.id, ...given };
    if (!(await this.rows.addVote(tx, { vote, voter: by }))) throw new Error('A new ask has a vote already');
    await append(scopeOf(ask), { type: 'ask.voted', askId: ask.id, vote });
    return this.#close(tx, append, { ...ask, votes: [vote] }, { status: 'approved', at, byName });
  }

  async #close(tx: Tx, append: Append, ask: Ask, closing: Closing): Promise<Ask> {
    if (!(await this.rows.close(tx, ask.id, closing))) throw await this.#alreadyClosed(tx, ask);
    const closed: Ask = { ...ask, status: closing.status, resolvedAt: closing.at };
    await append(scopeOf(ask), { type: 'ask.closed', askId: ask.id, status: closing.status, by: closing.byName });
    await this.kinds.closed(tx, append, closed);
    return closed;
  }

  #unanswered(status: Unanswered): Closing {
    return { status, at: this.clock.now(), byName: null };
  }

  async #alreadyClosed(tx: Tx, { id }: Ask): Promise<AppError> {
    const ask = await this.rows.find(id, tx);
    if (!ask) return notFound(id);
    if (ask.status === 'expired') return expired(ask);
    const by = await this.rows.closedBy(id, tx);
    const details = { askId: id, by, at: ask.resolvedAt, answer: answerOf(ask.status), status: ask.status };
    return new AppError('ASK_ALREADY_RESOLVED', `This was ${wordOf(ask.status)} already${by === null ? '' : ` by ${by}`}`, details);
  }

  #nextClosing(askId: AskId, given: AbortSignal): Promise<unknown> {
    const closings = this.feed.live.pipe(filter((event) => event.type === 'ask.closed' && event.askId === askId));
    // The feed ends when the server stops; then nobody needs to wait any longer.
    return firstValueFrom(merge(closings.pipe(endWith(undefined)), fromEvent(given, 'abort')));
  }
}

function scopeOf({ requester, sessionId, workspaceId }: Ask): EventScope {
  return { owner: requester, sessionId, ...(workspaceId !== null && { workspaceId }) };
}

function notFound(askId: AskId): AppError {
  return new AppError('ASK_NOT_FOUND', 'No such ask', { askId });
}

function expired({ id, expiresAt }: Ask): AppError {
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

const PLACE = /^(?<at>\d{1,15})_(?<id>[0-9a-f-]{36})$/;

function toPlace(before: string | undefined): ClosedBefore | undefined {
  if (before === undefined) return undefined;
  const { at, id } = PLACE.exec(before)?.groups ?? {};
  if (at === undefined || id === undefined) throw new AppError('CURSOR_INVALID', 'This is not the cursor of a page of asks');
  return { at: Number(at), id };
}
