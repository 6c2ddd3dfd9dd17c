import { Injectable } from '@nestjs/common';
import {
  type Answer,
  type Ask,
  type AskId,
  type Principal,
  type RememberedApproval,
  type RememberScope,
  type Vote,
  type VoteId,
} from '#contracts';
import { type Append, AppError, EventFeed, newId, SharedClock, type Tx, unwrap } from '#platform';
import { AskEnds, expired, notFound } from './asks-ends.js';
import { decided, maySeeAsk, personOf, scopeOf } from './asks-rules.js';
import { AskRepository } from './asks.ports.js';
import { Escalations } from './escalations.js';
import { Proofs } from './proofs.js';
import { Remembered, refusalToRemember, refused } from './remembered.js';
import { type Right, Rights } from './rights.js';

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

/** What was looked up before the ask was locked: nothing is asked elsewhere while a transaction waits. */
interface Looked {
  readonly rights: readonly Right[];
  readonly provedAt: number | undefined;
  /** Undefined: nobody looked, since this vote cannot be the last yes. */
  readonly lapsed: ReadonlySet<VoteId> | undefined;
  /** Votes that were looked at. */
  readonly known: ReadonlySet<VoteId>;
}

/** A vote may come in between; then everything is looked at once more. */
const TRIES = 50;

/** Owner of votes: who may give one, by which right, and which of them count when the last one is given. */
@Injectable()
export class AskVotes {
  constructor(
    private readonly rows: AskRepository,
    private readonly rights: Rights,
    private readonly proofs: Proofs,
    private readonly escalations: Escalations,
    private readonly ends: AskEnds,
    private readonly remembered: Remembered,
    private readonly feed: EventFeed,
    private readonly time: SharedClock,
  ) {}

  /** Of all votes that would close an ask, exactly one does; the others hear who was first. */
  async cast(cast: CastVote): Promise<Ask> {
    for (let turn = 0; turn < TRIES; turn += 1) {
      const looked = await this.#look(cast);
      const result = await this.feed.write((tx, append) => this.#inTurn(tx, append, cast, looked));
      if (result === 'look again') continue;
      this.ends.afterClosed(result);
      if (result.status === 'expired') throw expired(result);
      return result;
    }
    throw new Error('An ask does not come to rest');
  }

  /** The vote that a remembered approval gives: of the person who gave it, on this very digest, through a channel of its own. */
  async answerBy(tx: Tx, append: Append, ask: Ask, { id: rememberedId, by, byName, at: givenAt }: RememberedApproval): Promise<Ask> {
    const at = await this.time.now(tx);
    const reason = `Remembered for this session from ${new Date(givenAt).toISOString()}`;
    const given = { by, byName, channel: 'remembered', answer: 'approve', reason, digest: ask.digest, at, rememberedId } as const;
    const vote: Vote = { id: newId<VoteId>(), askId: ask.id, ...given };
    if (!(await this.rows.addVote(tx, { vote, voter: by, rightOf: by }))) throw new Error('A new ask has a vote already');
    await append(scopeOf(ask), { type: 'ask.voted', askId: ask.id, vote });
    return this.ends.close(tx, append, { ...ask, votes: [vote] }, { status: 'approved', at, byName });
  }

  async #look({ principal, askId, answer, digest }: CastVote): Promise<Looked> {
    const ask = await this.rows.find(askId);
    if (!ask || !maySeeAsk(principal, ask)) throw notFound(askId);
    const known = new Set(ask.votes.map(({ id }) => id));
    const nothing = { rights: [], provedAt: undefined, lapsed: undefined, known };
    const now = await this.time.now();
    if (ask.status !== 'open' || now >= ask.expiresAt) return nothing; // the locked row has the word
    const rights = unwrap(await this.rights.of(principal, ask, now));
    if (ask.kind === 'host_question' && answer === 'approve') throw new AppError('INPUT_INVALID', 'A question wants an answer', { askId });
    if (digest !== ask.digest) throw mismatch(ask);
    const provedAt = ask.stepUp === true ? await this.proofs.require(principal) : undefined;
    // Only the vote that would close the ask asks what became of the earlier ones.
    const isLast = answer === 'approve' && ask.votes.length + 1 >= ask.quorum;
    return { rights, provedAt, known, lapsed: isLast ? await this.rights.lapsed(ask, now) : undefined };
  }

  async #inTurn(tx: Tx, append: Append, cast: CastVote, looked: Looked): Promise<Ask | 'look again'> {
    const ask = await this.rows.lock(tx, cast.askId);
    if (!ask) throw notFound(cast.askId);
    if (ask.status !== 'open') throw await this.ends.alreadyClosed(tx, ask);
    const now = await this.time.now(tx);
    // Late is late, and the end is written down before the voter hears of it.
    if (now >= ask.expiresAt) return this.ends.unanswered(tx, append, ask, 'expired');
    if (looked.rights.length === 0 || !ask.votes.every(({ id }) => looked.known.has(id))) return 'look again';
    await this.escalations.writeDown(tx, append, ask, now);
    return this.#count(tx, append, ask, cast, looked, now);
  }

  async #count(tx: Tx, append: Append, ask: Ask, cast: CastVote, looked: Looked, now: number): Promise<Ask> {
    const { principal, answer, remember } = cast;
    const wantsMemory = remember === 'session' && answer === 'approve';
    const refusal = wantsMemory ? refusalToRemember(principal, ask) : null;
    if (refusal !== null) throw refused(ask, refusal);
    const vote = await this.#add(tx, ask, cast, looked, now);
    await append(scopeOf(ask), { type: 'ask.voted', askId: ask.id, vote });
    const lapsed = looked.lapsed ? ask.votes.map(({ id }) => id).filter((id) => looked.lapsed?.has(id) === true) : ask.lapsed;
    const { lapsed: _, ...rest } = ask;
    const voted: Ask = { ...rest, votes: [...ask.votes, vote], ...(lapsed !== undefined && lapsed.length > 0 && { lapsed }) };
    const status = decided(
      ask,
      voted.votes.filter(({ id }) => lapsed?.includes(id) !== true).map((given) => given.answer),
    );
    if (looked.lapsed && String(lapsed) !== String(ask.lapsed ?? [])) await this.#recount(tx, append, ask, lapsed ?? []);
    if (!status) return voted;
    const closed = await this.ends.close(tx, append, voted, { status, at: now, byName: vote.byName });
    if (wantsMemory) await this.remembered.add(tx, append, closed, vote);
    return closed;
  }

  /** By the first right that nobody has used on this ask. */
  async #add(tx: Tx, ask: Ask, { principal, answer, digest, reason }: CastVote, looked: Looked, at: number): Promise<Vote> {
    for (const { of, onBehalfOf } of looked.rights) {
      const vote: Vote = {
        id: newId<VoteId>(),
        askId: ask.id,
        by: principal.id,
        byName: principal.name,
        channel: principal.channel,
        answer,
        reason: reason ?? null,
        digest,
        at,
        ...(onBehalfOf && { onBehalfOf }),
        ...(looked.provedAt !== undefined && { provedAt: looked.provedAt }),
      };
      if (await this.rows.addVote(tx, { vote, voter: personOf(principal), rightOf: of })) return vote;
    }
    throw new AppError('VOTE_ALREADY_GIVEN', 'You have voted on this already', { askId: ask.id });
  }

  async #recount(tx: Tx, append: Append, ask: Ask, lapsed: readonly VoteId[]): Promise<void> {
    await this.rows.recounted(tx, ask.id, lapsed);
    await append(scopeOf(ask), { type: 'ask.recounted', askId: ask.id, lapsed });
  }
}

export function mismatch({ id }: Ask): AppError {
  return new AppError('ASK_DIGEST_MISMATCH', 'This vote is about something else than what is asked now', { askId: id });
}
