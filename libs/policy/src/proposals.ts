import { Injectable } from '@nestjs/common';
import { workspacesSeenBy } from '#contracts';
import type { Generalisation, Page, PlanId, PolicyProposal, Principal, ProposalId, ProposalStatus } from '#contracts';
import { type Append, AppError, Clock, EventFeed, newId, type Tx, unwrap } from '#platform';
import { asDocument, withRules } from './core/documents/learn.js';
import { checkMayChange } from './core/documents/may-change.js';
import { readDocument } from './core/documents/read.js';
import { PolicyDocuments } from './documents.js';
import { ProposalRepository } from './documents.ports.js';
import { Learnings } from './learnings.js';

export interface NewProposal {
  readonly by: Principal;
  readonly note: string;
  readonly planId: PlanId | null;
  readonly kind: Generalisation | null;
  /** YAML list of rules; null when they are learned from the plan. */
  readonly rules: string | null;
}

export interface ProposalQuery {
  readonly principal: Principal;
  readonly status: ProposalStatus | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

/** Open proposals of one proposer: whoever floods the list hides nothing of the others. */
const MAX_OPEN = 20;

/** Owner of proposals: what somebody without the right to change policy wants of it. People take them in or dismiss them. */
@Injectable()
export class Proposals {
  constructor(
    private readonly rows: ProposalRepository,
    private readonly documents: PolicyDocuments,
    private readonly learnings: Learnings,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  async propose({ by, note, planId, kind, rules }: NewProposal): Promise<PolicyProposal> {
    const wanted = rules === null ? await this.#learned(by, planId, kind) : readable(rules);
    const proposal: PolicyProposal = {
      id: newId<ProposalId>(),
      by: by.id,
      byName: by.name,
      byKind: by.kind,
      at: this.clock.now(),
      note,
      planId,
      kind,
      rules: wanted,
      status: 'open',
      closedAt: null,
      closedBy: null,
      closedByName: null,
      closedReason: null,
      version: null,
    };
    await this.feed.write(async (tx, append) => {
      if ((await this.rows.countOpen(tx, by.id)) >= MAX_OPEN)
        throw new AppError('RATE_LIMITED', `At most ${MAX_OPEN} proposals of yours may be open`, { limit: MAX_OPEN });
      await this.rows.insert(tx, proposal);
      await append({ owner: by.id, sessionId: null }, { type: 'proposal.changed', proposalId: proposal.id, status: 'open' });
    });
    return proposal;
  }

  /** Who sees the whole team's work sees all, everybody else their own. The newest first. */
  async page({ principal, status, before, limit }: ProposalQuery): Promise<Page<PolicyProposal>> {
    const by = seesAll(principal) ? undefined : principal.id;
    const found = await this.rows.page({ by, status, before, limit: limit + 1 });
    const items = found.slice(0, limit);
    return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  /** A save like any other: on top of the version that the administrator has seen. */
  async accept(by: Principal, id: ProposalId, previous: number, note: string): Promise<PolicyProposal> {
    unwrap(checkMayChange(by));
    const { rules } = await this.#find(id);
    const { yaml, document } = await this.documents.current();
    const wish = { by, yaml: withRules(yaml, document, rules), previous, note };
    const checked = this.documents.checked(wish);
    return this.feed.write(async (tx, append) => {
      const { version } = await this.documents.saveIn(tx, append, wish, checked);
      return this.#close(tx, append, id, { status: 'accepted', by, reason: null, version });
    });
  }

  async dismiss(by: Principal, id: ProposalId, reason: string | null): Promise<PolicyProposal> {
    if (!seesAll(by) && (await this.#find(id)).by !== by.id) throw notFound(id);
    return this.feed.write((tx, append) => this.#close(tx, append, id, { status: 'dismissed', by, reason, version: null }));
  }

  async #close(
    tx: Tx,
    append: Append,
    id: ProposalId,
    {
      status,
      by,
      reason,
      version,
    }: {
      readonly status: 'accepted' | 'dismissed';
      readonly by: Principal;
      readonly reason: string | null;
      readonly version: number | null;
    },
  ): Promise<PolicyProposal> {
    const before = await this.rows.find(id, tx);
    if (!before) throw notFound(id);
    const after: PolicyProposal = {
      ...before,
      status,
      closedAt: this.clock.now(),
      closedBy: by.id,
      closedByName: by.name,
      closedReason: reason,
      version,
    };
    if (!(await this.rows.close(tx, after)))
      throw new AppError('PROPOSAL_CLOSED', 'Somebody has decided this proposal already', { proposalId: id, status: before.status });
    await append({ owner: before.by, sessionId: null }, { type: 'proposal.changed', proposalId: id, status });
    return after;
  }

  async #find(id: ProposalId): Promise<PolicyProposal> {
    const found = await this.rows.find(id);
    if (!found) throw notFound(id);
    return found;
  }

  async #learned(by: Principal, planId: PlanId | null, kind: Generalisation | null): Promise<string> {
    if (planId === null || kind === null)
      throw new AppError('INPUT_INVALID', 'Send either rules, or planId and kind', { paths: ['rules', 'planId', 'kind'] });
    return (await this.learnings.rule(by, planId, kind)).rules;
  }
}

function readable(rules: string): string {
  const read = readDocument(asDocument(rules));
  if (read.ok && read.document.rules.length > 0) return rules;
  const issues = read.ok ? [] : read.issues.map(({ line, ...issue }) => ({ ...issue, line: Math.max(1, line - 2) }));
  throw new AppError('POLICY_INVALID', 'The rules cannot be read', { issues });
}

function notFound(proposalId: ProposalId): AppError {
  return new AppError('PROPOSAL_NOT_FOUND', 'No such proposal', { proposalId });
}

function seesAll(principal: Principal): boolean {
  return workspacesSeenBy(principal) === undefined;
}
