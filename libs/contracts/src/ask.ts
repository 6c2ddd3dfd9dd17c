import type { Deciders, Risk } from './decision.js';
import type { AskId, PlanId, PrincipalId, RememberedId, SessionId, VoteId, WorkspaceId } from './id.js';
import { CHANNELS, type Channel } from './principal.js';

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

/** How a vote came: through a door, or from an approval that a person gave earlier and that is remembered. */
export const VOTE_CHANNELS = [...CHANNELS, 'remembered'] as const;
export type VoteChannel = Channel | 'remembered';

export interface Vote {
  readonly id: VoteId;
  readonly askId: AskId;
  readonly by: PrincipalId;
  readonly byName: string;
  readonly channel: VoteChannel;
  readonly answer: Answer;
  readonly reason: string | null;
  /** The digest that the voter saw. */
  readonly digest: string;
  readonly at: number;
  /** The remembered approval that this vote comes from. */
  readonly rememberedId?: RememberedId;
}

/** What one remembered approval of an ask would count for. */
export interface AskFamily {
  /** SHA-256 hex; commands of the same family have the same. */
  readonly family: string;
  /** In words. */
  readonly covers: string;
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
  /** The name of that person when the ask was made. */
  readonly requesterPersonName?: string | null;
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
  /** Who may vote beyond that: a voter must be among each of them. */
  readonly deciders?: readonly Deciders[];
  /** From here on it is late, though it still waits. */
  readonly dueAt?: number;
  /** What an approval would count for when it is remembered for the session; absent: it cannot be. */
  readonly remembers?: AskFamily;
  /** Why it cannot. */
  readonly notRemembered?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly resolvedAt: number | null;
  readonly votes: readonly Vote[];
}
