import type { Risk } from './decision.js';
import type { AskId, PlanId, PrincipalId, SessionId, VoteId, WorkspaceId } from './id.js';
import type { Channel } from './principal.js';

export const ASK_KINDS = ['plan_approval', 'host_approval', 'host_question'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/** Each way an ask can end is a different word everywhere. Silence is never consent. */
export const ASK_STATUSES = [
  'open',
  'approved',
  'denied',
  'answered',
  'expired',
  'cancelled',
  'host_gone',
  'unavailable',
  'unknown',
] as const;
export type AskStatus = (typeof ASK_STATUSES)[number];

export const ANSWERS = ['approve', 'deny'] as const;
export type Answer = (typeof ANSWERS)[number];

export interface Vote {
  readonly id: VoteId;
  readonly askId: AskId;
  readonly by: PrincipalId;
  readonly byName: string;
  readonly channel: Channel;
  readonly answer: Answer;
  readonly reason: string | null;
  /** The digest that the voter saw. */
  readonly digest: string;
  readonly at: number;
}

/** A durable row that waits for a person. */
export interface Ask {
  readonly id: AskId;
  readonly kind: AskKind;
  readonly status: AskStatus;
  readonly planId: PlanId | null;
  readonly sessionId: SessionId | null;
  readonly workspaceId: WorkspaceId | null;
  readonly requester: PrincipalId;
  readonly requesterName: string;
  /** The person behind a requesting token. */
  readonly requesterPersonId: PrincipalId | null;
  /** Made of our own facts; never of an agent's words. */
  readonly title: string;
  /** First words of the command or action, for lists. */
  readonly summary: string;
  readonly risk: Risk;
  readonly reasons: readonly string[];
  /** What a vote must name; for plans the plan digest. */
  readonly digest: string;
  readonly quorum: number;
  readonly notRequester: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly resolvedAt: number | null;
  readonly votes: readonly Vote[];
}
