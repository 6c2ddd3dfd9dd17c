import type { PrincipalId, RememberedApproval, RememberedId, RememberedState, SessionId } from '#contracts';
import type { Tx } from '#platform';

export interface RememberedFilter {
  /** Undefined: in everybody's sessions. */
  readonly owner: PrincipalId | undefined;
  readonly state: RememberedState | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

export interface RememberedEnd {
  readonly state: Exclude<RememberedState, 'active'>;
  readonly at: number;
  readonly byName: string | null;
}

/** Storage of remembered approvals. They end once, and count only while they are active. */
export abstract class RememberedRepository {
  abstract insert(tx: Tx, approval: RememberedApproval, family: string): Promise<void>;
  abstract find(id: RememberedId, tx?: Tx): Promise<RememberedApproval | undefined>;
  /** Those that are active for this family in this session. */
  abstract active(sessionId: SessionId, family: string): Promise<readonly RememberedApproval[]>;
  abstract page(filter: RememberedFilter): Promise<readonly RememberedApproval[]>;
  /** Counts a use and holds the row until the transaction ends. False: it is active no more. */
  abstract use(tx: Tx, id: RememberedId, at: number): Promise<boolean>;
  /** Holds the row without counting. False: it is active no more. */
  abstract hold(tx: Tx, id: RememberedId): Promise<boolean>;
  /** Compare-and-set from `active`. False: it had ended. */
  abstract end(tx: Tx, id: RememberedId, end: RememberedEnd): Promise<boolean>;
  abstract activeIn(tx: Tx, sessionId: SessionId): Promise<readonly RememberedId[]>;
}
