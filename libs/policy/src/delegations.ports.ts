import type { Delegation, DelegationId, PrincipalId } from '#contracts';
import type { Tx } from '#platform';

export interface DelegationFilter {
  /** Given by or to this person; undefined: everybody's. */
  readonly of: PrincipalId | undefined;
  /** Only those that hold at this moment. */
  readonly activeAt: number | undefined;
  readonly limit: number;
}

/** Storage of rights that are handed over. */
export abstract class DelegationRepository {
  abstract insert(tx: Tx, delegation: Delegation): Promise<void>;
  abstract find(id: DelegationId, tx?: Tx): Promise<Delegation | undefined>;
  /** The newest first. */
  abstract list(filter: DelegationFilter): Promise<readonly Delegation[]>;
  /** Those that hold now, of what was handed to this person; the oldest first. */
  abstract activeTo(to: PrincipalId, now: number): Promise<readonly Delegation[]>;
  abstract countActive(tx: Tx, from: PrincipalId, now: number): Promise<number>;
  /** False: it was revoked already. */
  abstract revoke(tx: Tx, id: DelegationId, at: number, byName: string): Promise<boolean>;
}
