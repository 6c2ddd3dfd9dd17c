import { Injectable, Optional } from '@nestjs/common';
import { hasScope, seesWorkIn } from '#contracts';
import type { Ask, AskId, Page, Principal, RememberedApproval, RememberedId, RememberedState, SessionId, Vote } from '#contracts';
import { type Append, AppError, Clock, EventFeed, newId, PrincipalDirectory, type Tx } from '#platform';
import { mayDecide, mayVote } from './asks-rules.js';
import { AskRepository } from './asks.ports.js';
import type { Family } from './core/documents/family.js';
import { RememberedRepository } from './remembered.ports.js';
import { Voters } from './voters.js';

export interface RememberedQuery {
  readonly principal: Principal;
  readonly state: RememberedState | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

/** What a person's approval would have to cover: an ask that is not written yet. */
export type Asked = Pick<Ask, 'sessionId' | 'workspaceId' | 'requester' | 'requesterPersonId' | 'notRequester' | 'remembers'> &
  Partial<Pick<Ask, 'deciders'>>;

/** Owner of remembered approvals: a person's yes that counts again in one session, for the same family of commands, until it is revoked. */
@Injectable()
export class Remembered {
  constructor(
    private readonly rows: RememberedRepository,
    private readonly asks: AskRepository,
    private readonly voters: Voters,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    // A process without people, such as a test of one plane, has no directory; then nothing is remembered.
    @Optional() private readonly directory?: PrincipalDirectory,
  ) {}

  /** The approval that would answer this ask, of a person who may still answer it today. */
  async candidate(asked: Asked): Promise<RememberedApproval | undefined> {
    const { sessionId, remembers } = asked;
    if (sessionId === null || remembers === undefined) return undefined;
    for (const approval of await this.rows.active(sessionId, remembers.family)) {
      const person = await this.directory?.find(approval.by);
      // The rest of an ask plays no part in who may vote.
      const ask = asked as Ask; // all that the two rules read
      if (person?.kind === 'person' && mayVote(person, ask).ok && mayDecide(await this.voters.of(person), ask).ok) return approval;
    }
    return undefined;
  }

  /** Counts a use, and tells whoever looks at the count. False: it was revoked or ended meanwhile. */
  async use(tx: Tx, append: Append, approval: RememberedApproval): Promise<boolean> {
    if (!(await this.rows.use(tx, approval.id, this.clock.now()))) return false;
    await append(scopeOf(approval), { type: 'remembered.changed', rememberedId: approval.id, state: 'active' });
    return true;
  }

  /** Whether the approval behind an ask still holds; one that was given in person always does. Inside a transaction it then stays so. */
  async holds(askId: AskId, tx?: Tx): Promise<boolean> {
    const ask = await this.asks.find(askId, tx);
    const id = ask?.votes.find(({ rememberedId }) => rememberedId !== undefined)?.rememberedId;
    if (id === undefined) return true;
    return tx ? this.rows.hold(tx, id) : (await this.rows.find(id))?.state === 'active';
  }

  /**
   * Whether a plan would still be answered by what was remembered, now that its family is this one: policy may say more about it, or want
   * each of them answered, and who gave the approval may be gone. One that was given in person is not asked again.
   */
  async stands(askId: AskId, family: Family): Promise<boolean> {
    const ask = await this.asks.find(askId);
    if (!ask?.votes.some(({ rememberedId }) => rememberedId !== undefined)) return true;
    return !('refusal' in family) && family.family === ask.remembers?.family && (await this.candidate(ask)) !== undefined;
  }

  /** Written with the vote that it comes from. */
  async add(tx: Tx, append: Append, ask: Ask, vote: Vote): Promise<void> {
    const { sessionId, workspaceId, planId, remembers } = ask;
    if (sessionId === null || workspaceId === null || planId === null || remembers === undefined)
      throw refused(ask, 'It belongs to no session');
    const approval: RememberedApproval = {
      id: newId<RememberedId>(),
      sessionId,
      workspaceId,
      owner: ask.requester,
      ownerName: ask.requesterName,
      by: vote.by,
      byName: vote.byName,
      at: vote.at,
      askId: ask.id,
      planId,
      command: ask.summary,
      covers: remembers.covers,
      state: 'active',
      uses: 0,
      lastUsedAt: null,
      endedAt: null,
      endedByName: null,
    };
    await this.rows.insert(tx, approval, remembers.family);
    await append(scopeOf(approval), { type: 'remembered.changed', rememberedId: approval.id, state: 'active' });
  }

  /** People see those of where they have a role, an agent those of its sessions. The newest first. */
  async page({ principal, state, before, limit }: RememberedQuery): Promise<Page<RememberedApproval>> {
    const owner = principal.kind === 'person' || principal.scopes.includes('admin') ? undefined : principal.id;
    const found = await this.rows.page({ owner, state, before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const items = page.filter((one) => one.owner === principal.id || seesWorkIn(principal, one.workspaceId));
    return { items, next: found.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  /** Takes effect before the next claim. Revoking what has ended changes nothing. */
  async revoke(by: Principal, id: RememberedId): Promise<RememberedApproval> {
    return this.feed.write(async (tx, append) => {
      const before = await this.rows.find(id, tx);
      if (!before || !(by.id === before.by || hasScope(by, 'approvals:decide', before.workspaceId)))
        throw new AppError('REMEMBERED_NOT_FOUND', 'No such remembered approval', { rememberedId: id });
      const at = this.clock.now();
      if (!(await this.rows.end(tx, id, { state: 'revoked', at, byName: by.name }))) return (await this.rows.find(id, tx)) ?? before;
      await append(scopeOf(before), { type: 'remembered.changed', rememberedId: id, state: 'revoked' });
      return { ...before, state: 'revoked', endedAt: at, endedByName: by.name };
    });
  }

  /** A session takes what was remembered in it along. */
  async endIn(tx: Tx, append: Append, sessionId: SessionId, scope: Parameters<Append>[0]): Promise<void> {
    for (const id of await this.rows.activeIn(tx, sessionId)) {
      if (!(await this.rows.end(tx, id, { state: 'ended', at: this.clock.now(), byName: null }))) continue;
      await append(scope, { type: 'remembered.changed', rememberedId: id, state: 'ended' });
    }
  }
}

const scopeOf = ({ owner, sessionId, workspaceId }: RememberedApproval) => ({ owner, sessionId, workspaceId });

/** Nothing is decided by a vote that wants to be remembered where that may not be. */
export function refused({ id }: Ask, reason: string): AppError {
  return new AppError('REMEMBER_REFUSED', `This approval cannot be remembered: ${reason}`, { askId: id, reason });
}

/** Why this vote may not be remembered; null when it may. */
export function refusalToRemember({ kind, channel }: Principal, { quorum, remembers, notRemembered }: Ask): string | null {
  if (kind !== 'person' || channel !== 'console') return 'Only a person at the console can have it remembered';
  if (quorum > 1) return 'More than one person has to agree each time';
  return remembers === undefined ? (notRemembered ?? 'It is not of a kind that is remembered') : null;
}
