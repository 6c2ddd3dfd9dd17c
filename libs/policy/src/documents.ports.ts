import type { PolicyProposal, PolicyVersionInfo, PrincipalId, ProposalId, ProposalStatus } from '#contracts';
import type { Tx } from '#platform';

export interface StoredVersion {
  readonly info: PolicyVersionInfo;
  readonly yaml: string;
}

/** Storage of policy versions. Only ever added to. */
export abstract class PolicyVersionRepository {
  /** Number of the version in force; 0 when there is none. */
  abstract current(tx?: Tx): Promise<number>;
  abstract find(version: number, tx?: Tx): Promise<StoredVersion | undefined>;
  /** The newest first, only older than `before`. */
  abstract page(before: number | undefined, limit: number): Promise<readonly PolicyVersionInfo[]>;
  /** False: another version has this number already, and nothing was written. */
  abstract insert(tx: Tx, version: StoredVersion): Promise<boolean>;
}

export interface ProposalFilter {
  /** Undefined: everybody's. */
  readonly by: PrincipalId | undefined;
  readonly status: ProposalStatus | undefined;
  /** Only older than this one. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Storage of proposals. They are written once and closed once. */
export abstract class ProposalRepository {
  abstract insert(tx: Tx, proposal: PolicyProposal): Promise<void>;
  abstract find(id: ProposalId, tx?: Tx): Promise<PolicyProposal | undefined>;
  abstract countOpen(tx: Tx, by: PrincipalId): Promise<number>;
  abstract page(filter: ProposalFilter): Promise<readonly PolicyProposal[]>;
  /** Compare-and-set from `open`. False: it was closed already. */
  abstract close(tx: Tx, proposal: PolicyProposal): Promise<boolean>;
}
