import type { Ask, AskStatus, Vote } from './ask.js';
import type {
  AskId,
  PlanId,
  PrincipalId,
  ProposalId,
  ReceiptId,
  RememberedId,
  RunId,
  SessionId,
  TokenId,
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
  | { readonly type: 'ask.closed'; readonly askId: AskId; readonly status: AskStatus; readonly by: string | null }
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
