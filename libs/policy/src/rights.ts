import { Injectable, Optional } from '@nestjs/common';
import type { Ask, Principal, PrincipalId, Result, Vote, VoteId } from '#contracts';
import { PrincipalDirectory } from '#platform';
import { mayDecide, mayLend, mayVote, personOf } from './asks-rules.js';
import { Delegations } from './delegations.js';
import { Voters } from './voters.js';

/** A right to decide an ask. */
export interface Right {
  /** The person whose right it is: of all votes on one ask, one may use it. */
  readonly of: PrincipalId;
  /** Set when it is another's. */
  readonly onBehalfOf?: { readonly id: PrincipalId; readonly name: string };
}

/** Works out by which right somebody may decide an ask, and whether rights that were used still stand. Reads only; never inside a transaction. */
@Injectable()
export class Rights {
  constructor(
    private readonly voters: Voters,
    private readonly delegations: Delegations,
    // A process without people, such as a test of one plane, has no directory; then votes stand as they were given.
    @Optional() private readonly directory?: PrincipalDirectory,
  ) {}

  /** One's own right first; then those that others have handed over. */
  async of(principal: Principal, ask: Ask, now: number): Promise<Result<readonly Right[]>> {
    const own = await this.#own(principal, ask, now);
    if (own.ok) return { ok: true, value: [{ of: personOf(principal) }] };
    const lent = principal.kind === 'person' ? await this.#lentTo(principal.id, ask, now) : [];
    return lent.length > 0 ? { ok: true, value: lent } : own;
  }

  /** The votes whose right does not stand any more: their person was disabled, lost a role, or took back what they had handed over. */
  async lapsed(ask: Ask, now: number): Promise<ReadonlySet<VoteId>> {
    const gone = new Set<VoteId>();
    for (const vote of ask.votes) if (!(await this.#stands(vote, ask, now))) gone.add(vote.id);
    return gone;
  }

  async #stands(vote: Vote, ask: Ask, now: number): Promise<boolean> {
    if (!this.directory) return true;
    const found = await this.directory.find(vote.by);
    if (!found) return false;
    const principal: Principal = { ...found, channel: vote.channel === 'remembered' ? found.channel : vote.channel };
    const lender = vote.onBehalfOf;
    // A circle may have moved on since; who was in it when they voted was asked.
    if (!lender) return (await this.#own(principal, ask, vote.at)).ok || (await this.#own(principal, ask, now)).ok;
    const held = await this.delegations.activeTo(principal.id, ask.workspaceId, vote.at);
    return held.some(({ from }) => from === lender.id) && (await this.#mayLend(lender.id, principal.id, ask, vote.at));
  }

  async #own(principal: Principal, ask: Ask, at: number): Promise<Result<Ask>> {
    const may = mayVote(principal, ask);
    return may.ok ? mayDecide(await this.voters.of(principal), ask, at) : may;
  }

  async #lentTo(to: PrincipalId, ask: Ask, now: number): Promise<readonly Right[]> {
    const rights: Right[] = [];
    for (const { from, fromName } of await this.delegations.activeTo(to, ask.workspaceId, now)) {
      if (await this.#mayLend(from, to, ask, now)) rights.push({ of: from, onBehalfOf: { id: from, name: fromName } });
    }
    return rights;
  }

  async #mayLend(from: PrincipalId, to: PrincipalId, ask: Ask, at: number): Promise<boolean> {
    const lender = await this.directory?.find(from);
    return lender !== undefined && mayLend(lender, to, ask) && mayDecide(await this.voters.of(lender), ask, at).ok;
  }
}
