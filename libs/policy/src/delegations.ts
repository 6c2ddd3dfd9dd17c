import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Delegation, DelegationId, PersonName, Principal, PrincipalId, Snapshot, WorkspaceId } from '#contracts';
import { type Append, AppError, EventFeed, newId, PrincipalDirectory, SharedClock, type Tx } from '#platform';
import { adminDraft, Receipts } from '#receipts';
import { DelegationRepository } from './delegations.ports.js';

export interface HandOver {
  readonly by: Principal;
  readonly to: PrincipalId;
  readonly workspaceId: WorkspaceId | null;
  readonly until: number;
  readonly reason: string;
}

const MAX_DAYS = 90;
const MAX_ACTIVE = 20;
const MAX_LISTED = 200;
const DAY_MS = 86_400_000;

/** Owner of rights to decide that people hand to others for a time. Each is given and ended in public: with an event and a receipt. */
@Injectable()
export class Delegations {
  constructor(
    private readonly rows: DelegationRepository,
    private readonly directory: PrincipalDirectory,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly time: SharedClock,
  ) {}

  /** Only people hand over, at the console, and only what is theirs: they may decide there themselves. */
  async give({ by, to, workspaceId, until, reason }: HandOver): Promise<Delegation> {
    if (by.kind !== 'person' || by.channel !== 'console') throw refused('A person does this at the console');
    if (!hasScope(by, 'approvals:decide', workspaceId)) throw refused('You may not decide there yourself');
    if (to === by.id) throw refused('This is you');
    const receiver = await this.directory.find(to);
    if (receiver?.kind !== 'person') throw new AppError('PERSON_NOT_FOUND', 'No such person', { personId: to });
    return this.feed.write(async (tx, append) => {
      const now = await this.time.now(tx);
      if (until <= now || until > now + MAX_DAYS * DAY_MS) throw refused(`It ends within ${String(MAX_DAYS)} days from now`);
      if ((await this.rows.countActive(tx, by.id, now)) >= MAX_ACTIVE) throw refused('There are too many; revoke some first');
      const delegation: Delegation = {
        id: newId<DelegationId>(),
        from: by.id,
        fromName: by.name,
        to,
        toName: receiver.name,
        workspaceId,
        reason,
        createdAt: now,
        until,
        revokedAt: null,
        revokedByName: null,
      };
      await this.rows.insert(tx, delegation);
      const end = new Date(until).toISOString();
      await this.#record(tx, append, by, delegation, 'delegation.given', `lets ${receiver.name} decide for them until ${end}`);
      return delegation;
    });
  }

  /** By either side, or by an administrator. What has ended already stays as it ended. */
  async revoke(by: Principal, id: DelegationId): Promise<Delegation> {
    return this.feed.write(async (tx, append) => {
      const before = await this.rows.find(id, tx);
      if (!before || !maySee(by, before)) throw new AppError('DELEGATION_NOT_FOUND', 'No such delegation', { delegationId: id });
      const now = await this.time.now(tx);
      if (before.until <= now || !(await this.rows.revoke(tx, id, now, by.name))) return (await this.rows.find(id, tx)) ?? before;
      const after: Delegation = { ...before, revokedAt: now, revokedByName: by.name };
      await this.#record(tx, append, by, after, 'delegation.revoked', `ended that ${before.toName} decides for ${before.fromName}`);
      return after;
    });
  }

  /** One's own, in either direction; an administrator sees all. */
  async list(principal: Principal, isActive: boolean): Promise<Snapshot<Delegation>> {
    const seq = this.feed.head; // before the read: an event may come twice, never not at all
    const of = principal.scopes.includes('admin') ? undefined : (principal.personId ?? principal.id);
    const activeAt = isActive ? await this.time.now() : undefined;
    return { items: await this.rows.list({ of, activeAt, limit: MAX_LISTED }), seq };
  }

  /** Everybody but oneself. */
  async people({ id, personId }: Principal): Promise<readonly PersonName[]> {
    return (await this.directory.people()).filter((one) => one.id !== (personId ?? id));
  }

  /** What was handed to this person and holds in this workspace. */
  async activeTo(to: PrincipalId, workspaceId: WorkspaceId | null, now: number): Promise<readonly Delegation[]> {
    const active = await this.rows.activeTo(to, now);
    return active.filter((one) => one.workspaceId === null || one.workspaceId === workspaceId);
  }

  async #record(tx: Tx, append: Append, by: Principal, delegation: Delegation, action: string, did: string): Promise<void> {
    const { id, from, fromName, to, toName, workspaceId, until, reason, createdAt, revokedAt } = delegation;
    const details = {
      delegation_id: id,
      from: { id: from, name: fromName },
      to: { id: to, name: toName },
      workspace_id: workspaceId,
      until: new Date(until).toISOString(),
      reason,
    };
    await this.receipts.write(tx, append, adminDraft({ by, at: revokedAt ?? createdAt, action, did, details }));
    await append(
      { owner: from, sessionId: null, ...(workspaceId !== null && { workspaceId }) },
      { type: 'delegation.changed', delegationId: id },
    );
  }
}

function maySee(principal: Principal, { from, to }: Delegation): boolean {
  const person = principal.personId ?? principal.id;
  return person === from || person === to || principal.scopes.includes('admin');
}

function refused(message: string): AppError {
  return new AppError('DELEGATION_REFUSED', message);
}
