import type { Ask, AskDelivery, AskStatus, GivenAnswer, Vote } from './ask.js';
import type { ActionRunStatus } from './connector.js';
import type {
  AskId,
  ConnectorId,
  HostId,
  DelegationId,
  PlanId,
  PrincipalId,
  ProposalId,
  ReceiptId,
  RememberedId,
  RunId,
  SessionId,
  TokenId,
  VoteId,
  WebhookId,
  WorkspaceId,
} from './id.js';
import type { Plan, PlanStatus, RunOutcome } from './plan.js';
import type { ProposalStatus, RememberedState } from './policy.js';
import type { ReceiptSummary } from './receipt.js';
import type { Run, RunStatus } from './run.js';
import type { Session, Workspace } from './workspace.js';

/** Every state change, as watchers see it. */
export type EventBody =
  | { readonly type: 'workspace.changed'; readonly workspace: Workspace }
  | { readonly type: 'workspace.removed'; readonly workspaceId: WorkspaceId }
  | { readonly type: 'session.opened'; readonly session: Session }
  | { readonly type: 'session.closed'; readonly sessionId: SessionId; readonly status: Session['status'] }
  | { readonly type: 'plan.created'; readonly plan: Plan }
  | { readonly type: 'plan.moved'; readonly planId: PlanId; readonly status: PlanStatus; readonly expiresAt: number }
  | { readonly type: 'ask.opened'; readonly ask: Ask }
  | { readonly type: 'ask.voted'; readonly askId: AskId; readonly vote: Vote }
  | {
      readonly type: 'ask.closed';
      readonly askId: AskId;
      readonly status: AskStatus;
      readonly by: string | null;
      readonly why?: string;
    }
  | {
      readonly type: 'ask.extended';
      readonly askId: AskId;
      readonly expiresAt: number;
      readonly dueAt: number | null;
      readonly by: string;
      readonly reason: string | null;
    }
  | { readonly type: 'ask.escalated'; readonly askId: AskId; readonly at: number }
  | { readonly type: 'ask.recounted'; readonly askId: AskId; readonly lapsed: readonly VoteId[] }
  | { readonly type: 'delegation.changed'; readonly delegationId: DelegationId }
  | { readonly type: 'ask.answered'; readonly askId: AskId; readonly answer: GivenAnswer }
  | { readonly type: 'ask.delivery'; readonly askId: AskId; readonly delivery: AskDelivery; readonly note: string | null }
  | { readonly type: 'run.started'; readonly run: Run }
  | { readonly type: 'run.moved'; readonly runId: RunId; readonly planId: PlanId; readonly status: RunStatus }
  | {
      readonly type: 'run.ended';
      readonly runId: RunId;
      readonly planId: PlanId;
      readonly outcome: RunOutcome;
      readonly receiptId: ReceiptId;
    }
  | { readonly type: 'receipt.written'; readonly receipt: ReceiptSummary }
  | { readonly type: 'person.changed'; readonly personId: PrincipalId }
  | { readonly type: 'token.changed'; readonly tokenId: TokenId }
  | { readonly type: 'webhook.changed'; readonly webhookId: WebhookId }
  | { readonly type: 'host.changed'; readonly hostId: HostId }
  | { readonly type: 'connector.changed'; readonly connectorId: ConnectorId }
  | { readonly type: 'action_run.changed'; readonly runId: RunId; readonly status: ActionRunStatus }
  | { readonly type: 'policy.changed'; readonly version: string }
  | { readonly type: 'proposal.changed'; readonly proposalId: ProposalId; readonly status: ProposalStatus }
  | { readonly type: 'remembered.changed'; readonly rememberedId: RememberedId; readonly state: RememberedState };

export type EventType = EventBody['type'];

/** What an event is about, for filtering. `owner` is the principal whose work it is. */
export interface EventScope {
  readonly owner: PrincipalId;
  readonly sessionId: SessionId | null;
  /** Whose members may see it. Without one it is for those who see all workspaces. */
  readonly workspaceId?: WorkspaceId;
}

/** An event with its place in the one total order. */
export type AppEvent = EventBody & EventScope & { readonly seq: number; readonly at: number };

/** Sent once when a cursor is too old: reload, then go on after `seq`. */
export interface Resync {
  readonly type: 'resync';
  readonly seq: number;
}

/** Frames of `/api/runs/:id/stream`: output chunks, then one end. */
export type RunFrame =
  | { readonly type: 'output'; readonly seq: number; readonly stream: 'stdout' | 'stderr'; readonly text: string; readonly at: number }
  | { readonly type: 'ended'; readonly outcome: RunOutcome; readonly receiptId: ReceiptId };
