import { Injectable } from '@nestjs/common';
import type { ApprovalFact, Ask, AskStatus, DecisionOutcome, Evidence, Principal, Vote } from '#contracts';
import type { Append, Tx } from '#platform';
import { Receipts } from '#receipts';
import { scopeOf } from './asks-rules.js';

/** A change of an ask that is not its end. `by`: null when time made it. */
export interface AskChange {
  readonly by: Principal | null;
  readonly action: 'ask.extended' | 'ask.escalated';
  readonly did: string;
  readonly at: number;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Writes the evidence of asks that no plan hangs on, and of changes of any ask, in the transaction that makes them. */
@Injectable()
export class AskReceipts {
  constructor(private readonly receipts: Receipts) {}

  /** What becomes of a plan stands in the receipt of that plan. */
  async ended(tx: Tx, append: Append, ask: Ask, at: number): Promise<void> {
    const outcome = outcomeOf(ask.status);
    if (ask.planId !== null || outcome === undefined) return;
    const details = { ask_id: ask.id, kind: ask.kind, command: ask.summary, host: ask.host, answers: ask.answers, why: ask.endedWhy };
    const evidence = { ...evidenceOf(ask, at), summary: `${ask.title}: ${ask.status.replace('_', ' ')}`, outcome, details };
    await this.#write(tx, append, ask, evidence);
  }

  async changed(tx: Tx, append: Append, ask: Ask, { by, action, did, at, details }: AskChange): Promise<void> {
    const evidence = {
      ...evidenceOf(ask, at),
      summary: `${by?.name ?? 'Nobody decided, so the server'} ${did}: ${ask.title}`,
      details: { action, ask_id: ask.id, command: ask.summary, ...details },
      ...(by && { requester: { id: by.id, name: by.name, kind: by.kind, channel: by.channel } }),
    };
    await this.#write(tx, append, ask, evidence);
  }

  async #write(tx: Tx, append: Append, ask: Ask, evidence: Omit<Evidence, 'schema' | 'id'>): Promise<void> {
    const approverNames = ask.votes.map(({ byName }) => byName);
    await this.receipts.write(tx, append, { scope: scopeOf(ask), body: null, evidence, approverNames, workspaceName: '' });
  }
}

/** A vote as evidence. */
export function toFact(
  { id, by, byName, channel, answer, reason, at, onBehalfOf, provedAt }: Vote,
  { lapsed = [] }: Pick<Ask, 'lapsed'> = {},
): ApprovalFact {
  return {
    by,
    name: byName,
    channel,
    answer,
    reason,
    at: new Date(at).toISOString(),
    ...(onBehalfOf && { on_behalf_of: onBehalfOf }),
    ...(provedAt !== undefined && { proved_at: new Date(provedAt).toISOString() }),
    ...(lapsed.includes(id) && { lapsed: true as const }),
  };
}

function evidenceOf(ask: Ask, at: number): Omit<Evidence, 'schema' | 'id' | 'summary'> {
  const { requester, requesterName, requesterAs, planId, sessionId, digest, risk, reasons, policyVersion } = ask;
  return {
    kind: 'decision',
    requester: { id: requester, name: requesterName, kind: requesterAs?.kind ?? 'unknown', channel: requesterAs?.channel ?? 'rest' },
    at: new Date(at).toISOString(),
    ...(planId !== null && { plan_id: planId }),
    ...(sessionId !== null && { session_id: sessionId }),
    plan_digest: digest,
    approvals: ask.votes.map((vote) => toFact(vote, ask)),
    policy: { version: policyVersion ?? 'unknown', outcome: 'ask', risk, rules: [], reasons },
  };
}

function outcomeOf(status: AskStatus): DecisionOutcome | undefined {
  switch (status) {
    case 'denied':
      return 'rejected';
    case 'open':
      return undefined;
    case 'approved':
    case 'answered':
    case 'expired':
    case 'cancelled':
    case 'host_gone':
    case 'unavailable':
    case 'unknown':
      return status;
  }
}
