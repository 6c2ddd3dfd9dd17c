import type { Ask, AskId, AskKind, AskStatus, PlanId, PrincipalId, Vote } from '#contracts';
import type { Tx } from '#platform';
import type { SeenAsks } from './asks-rules.js';
import type { Overdue } from '#receipts';

/** An ask with the texts that only host questions have. */
export interface StoredAsk {
  readonly ask: Ask;
  /** What is asked, as JSON. Null for approvals. */
  readonly questions: string | null;
}

export interface NewVote {
  readonly vote: Vote;
  /** The person who votes, whatever credential was used. */
  readonly voter: PrincipalId;
}

export interface Closing {
  readonly status: Exclude<AskStatus, 'open'>;
  readonly at: number;
  /** Who closed it, as people know them; null when nobody did. */
  readonly byName: string | null;
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
  abstract insert(tx: Tx, stored: StoredAsk): Promise<void>;
  abstract find(id: AskId, tx?: Tx): Promise<Ask | undefined>;
  /** How many approvals of plans this requester waits for. */
  abstract countWaiting(tx: Tx, requester: PrincipalId, now: number): Promise<number>;
  /** Holds the ask until the transaction ends, so that votes are counted one after the other. */
  abstract lock(tx: Tx, id: AskId): Promise<Ask | undefined>;
  /** False: this person has voted already. */
  abstract addVote(tx: Tx, vote: NewVote): Promise<boolean>;
  /** False: it was not open any more. */
  abstract close(tx: Tx, id: AskId, closing: Closing): Promise<boolean>;
  abstract closedBy(id: AskId, tx: Tx): Promise<string | null>;
  /** The most dangerous first, then what ends soonest. */
  abstract open(filter: AskFilter, now: number): Promise<readonly Ask[]>;
  /** The last closed first. */
  abstract closed(filter: AskFilter, before: ClosedBefore | undefined, now: number): Promise<readonly Ask[]>;
  /** Open ones whose time is over. */
  abstract overdue(now: number, limit: number): Promise<readonly AskId[]>;
  abstract votesOfPlan(planId: PlanId, tx?: Tx): Promise<readonly Vote[]>;
  /** Closed ones with their votes, the oldest first; how many there were. */
  abstract deleteClosed(tx: Tx, overdue: Overdue): Promise<number>;
}
