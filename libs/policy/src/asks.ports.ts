import type { Ask, AskDelivery, AskId, AskKind, AskStatus, GivenAnswer, HostId, PlanId, PrincipalId, Vote, VoteId } from '#contracts';
import type { Tx } from '#platform';
import type { SeenAsks } from './asks-rules.js';
import type { Overdue } from '#receipts';

export interface NewVote {
  readonly vote: Vote;
  /** The person who votes, whatever credential was used. */
  readonly voter: PrincipalId;
  /** The person whose right is used. */
  readonly rightOf: PrincipalId;
}

/** A later end than before. */
export interface Extension {
  readonly from: number;
  readonly expiresAt: number;
  readonly dueAt: number | null;
}

export interface Closing {
  readonly status: Exclude<AskStatus, 'open'>;
  readonly at: number;
  /** Who closed it, as people know them; null when nobody did. */
  readonly byName: string | null;
  /** Why it ended unanswered, where that is known. */
  readonly why?: string;
}

/** A step of a decision on its way into the host. */
export interface DeliveryStep {
  readonly to: AskDelivery;
  readonly from: readonly AskDelivery[];
  readonly note: string | null;
}

/** Where a list of closed asks goes on: after this place in time. */
export interface ClosedBefore {
  readonly at: number;
  readonly id: string;
}

export interface AskFilter {
  /** Undefined: everyone's. */
  readonly seen: SeenAsks | undefined;
  readonly kind: AskKind | undefined;
  readonly limit: number;
}

/** Storage of asks and votes. Status changes by compare-and-set; votes are only ever added. */
export abstract class AskRepository {
  /** False: the same call of the same host is asked about already. */
  abstract insert(tx: Tx, ask: Ask): Promise<boolean>;
  /** The open ask about a call. */
  abstract openOfCall(tx: Tx, hostId: HostId, callId: string): Promise<Ask | undefined>;
  /** All answers given so far; written while the ask is locked. */
  abstract answered(tx: Tx, id: AskId, answers: readonly GivenAnswer[]): Promise<void>;
  /** False: it is not where the step begins. */
  abstract delivered(tx: Tx, id: AskId, step: DeliveryStep): Promise<boolean>;
  abstract find(id: AskId, tx?: Tx): Promise<Ask | undefined>;
  /** How many approvals of plans this requester waits for. */
  abstract countWaiting(tx: Tx, requester: PrincipalId, now: number): Promise<number>;
  /** Holds the ask until the transaction ends, so that votes are counted one after the other. */
  abstract lock(tx: Tx, id: AskId): Promise<Ask | undefined>;
  /** False: this person has voted already, or this right was used. */
  abstract addVote(tx: Tx, vote: NewVote): Promise<boolean>;
  /** False: it was not open any more. */
  abstract close(tx: Tx, id: AskId, closing: Closing): Promise<boolean>;
  abstract closedBy(id: AskId, tx: Tx): Promise<string | null>;
  /** The most dangerous first, then what ends soonest. */
  abstract open(filter: AskFilter, now: number): Promise<readonly Ask[]>;
  /** The last closed first. */
  abstract closed(filter: AskFilter, before: ClosedBefore | undefined, now: number): Promise<readonly Ask[]>;
  /** False: it is not open any more, or ends at another time than `from`. */
  abstract extend(tx: Tx, id: AskId, extension: Extension): Promise<boolean>;
  /** False: as many have been written down already, or it is not open any more. */
  abstract escalated(tx: Tx, ask: Ask, count: number): Promise<boolean>;
  /** Which votes do not count; written while the ask is locked. */
  abstract recounted(tx: Tx, id: AskId, lapsed: readonly VoteId[]): Promise<void>;
  /** Open ones of which an escalation is due and not written down. */
  abstract unescalated(now: number, limit: number): Promise<readonly AskId[]>;
  /** Open ones whose time is over. */
  abstract overdue(now: number, limit: number): Promise<readonly AskId[]>;
  /** With the votes of the same ask that do not count. */
  abstract votesOfPlan(planId: PlanId, tx?: Tx): Promise<readonly { readonly vote: Vote; readonly lapsed: readonly VoteId[] }[]>;
  /** Closed ones with their votes, the oldest first; how many there were. */
  abstract deleteClosed(tx: Tx, overdue: Overdue): Promise<number>;
}
