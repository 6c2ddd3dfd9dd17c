import type { Deciders, Risk } from './decision.js';
import type { AskId, DelegationId, HostId, PlanId, PrincipalId, RememberedId, SessionId, VoteId, WorkspaceId } from './id.js';
import { CHANNELS, type Channel, type PrincipalKind } from './principal.js';

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
  /** Whose right was used, when somebody had handed it over. */
  readonly onBehalfOf?: { readonly id: PrincipalId; readonly name: string };
  /** When the voter had last proved that it is them; where policy asks for it. */
  readonly provedAt?: number;
}

/** What one remembered approval of an ask would count for. */
export interface AskFamily {
  /** SHA-256 hex; commands of the same family have the same. */
  readonly family: string;
  /** In words. */
  readonly covers: string;
}

/** What becomes of one circle of deciders when nobody has decided by then. Null stands for everybody who may decide asks. */
export interface Escalation {
  readonly at: number;
  /** `widen`: the others may decide as well. `move`: only they may. */
  readonly how: 'widen' | 'move';
  readonly from: Deciders | null;
  readonly to: Deciders;
}

/** A person's right to decide, handed to another for a time. It is given by its person only, and never handed on. */
export interface Delegation {
  readonly id: DelegationId;
  readonly from: PrincipalId;
  readonly fromName: string;
  readonly to: PrincipalId;
  readonly toName: string;
  /** Only there; null: wherever its person may decide. */
  readonly workspaceId: WorkspaceId | null;
  readonly reason: string;
  readonly createdAt: number;
  readonly until: number;
  readonly revokedAt: number | null;
  readonly revokedByName: string | null;
}

/** The call inside an agent host that an ask is about. `hostId` and `callId` are its one identity, whatever lane it came by. */
export interface HostCall {
  readonly hostId: HostId;
  readonly hostSessionId: string;
  readonly callId: string;
  readonly toolName: string | null;
  /** The command text that was found in the call; null where there is none. */
  readonly command: string | null;
}

/** One question of a host, in its words. */
export interface AskQuestion {
  readonly id: string;
  readonly question: string;
  readonly detail?: string;
  readonly header?: string;
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect?: boolean;
  readonly intent?: Readonly<Record<string, unknown>>;
}

/** `selected` holds labels of options; `custom` is free text. */
export interface QuestionAnswer {
  readonly id: string;
  readonly selected: readonly string[];
  readonly custom?: string;
}

/** An answer with who gave it. It is the only one to its question. */
export interface GivenAnswer extends QuestionAnswer {
  readonly by: PrincipalId;
  readonly byName: string;
  readonly channel: Channel;
  readonly at: number;
}

/** How far a decision has come on its way into the host. Only `applied` is the end. */
export const ASK_DELIVERIES = ['none', 'sent', 'accepted', 'applied', 'failed'] as const;
export type AskDelivery = (typeof ASK_DELIVERIES)[number];

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
  /** What the requester was, and the door through which it asked. */
  readonly requesterAs?: { readonly kind: PrincipalKind; readonly channel: Channel };
  /** The policy that made it an ask. */
  readonly policyVersion?: string;
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
  /** Who votes must have proved lately, with a second factor, that it is them. */
  readonly stepUp?: boolean;
  /** In the order of time. Those whose time has come are in force. */
  readonly escalations?: readonly Escalation[];
  /** What an approval would count for when it is remembered for the session; absent: it cannot be. */
  readonly remembers?: AskFamily;
  /** Why it cannot. */
  readonly notRemembered?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly resolvedAt: number | null;
  readonly votes: readonly Vote[];
  /** Votes that did not count when the last one was given: who gave them may not decide any more. */
  readonly lapsed?: readonly VoteId[];
  /** Asks of a host only, as is all that follows. */
  readonly host?: HostCall;
  /** In the host's order. */
  readonly questions?: readonly AskQuestion[];
  /** Those given so far, in the order in which they came. */
  readonly answers?: readonly GivenAnswer[];
  readonly delivery?: AskDelivery;
  /** Why it failed, or what else is known of it. */
  readonly deliveryNote?: string | null;
  /** Why it ended without an answer, where that is known. */
  readonly endedWhy?: string | null;
}
