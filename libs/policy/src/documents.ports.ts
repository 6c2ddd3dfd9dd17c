import type { PolicyVersionInfo } from '#contracts';
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
