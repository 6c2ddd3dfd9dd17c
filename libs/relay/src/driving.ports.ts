import type { HostId, PrincipalId, WorkspaceId } from '#contracts';
import type { Tx } from '#platform';

/** Who drives a session: asks of its agent are asked in their name. */
export interface Drive {
  readonly hostId: HostId;
  readonly hostSessionId: string;
  readonly workspaceId: WorkspaceId;
  readonly principalId: PrincipalId;
  readonly name: string;
  readonly personId: PrincipalId | null;
  readonly personName: string | null;
  readonly at: number;
}

/** A stop that a person ordered. Null: everywhere. */
export interface Stop {
  readonly workspaceId: WorkspaceId | null;
  readonly by: PrincipalId;
  readonly byName: string;
  readonly reason: string;
  readonly at: number;
}

/** What a goal may use, and from where it counts. */
export interface KeptBudget {
  readonly hostId: HostId;
  readonly hostSessionId: string;
  readonly maxTokens: number | null;
  readonly maxMinutes: number | null;
  /** Tokens that the session had used before the goal, or before a person let it go on. */
  readonly tokensBefore: number;
  readonly countedFrom: number;
}

/** Storage of what the relay itself has to remember. Sessions, goals and turns are the host's. */
export abstract class RelayRepository {
  abstract drive(hostId: HostId, hostSessionId: string): Promise<Drive | undefined>;
  abstract setDrive(tx: Tx, drive: Drive): Promise<void>;
  abstract stops(): Promise<readonly Stop[]>;
  /** False: it stands already. */
  abstract addStop(tx: Tx, stop: Stop): Promise<boolean>;
  /** False: there was none. */
  abstract removeStop(tx: Tx, workspaceId: WorkspaceId | null): Promise<boolean>;
  abstract budget(hostId: HostId, hostSessionId: string): Promise<KeptBudget | undefined>;
  abstract setBudget(tx: Tx, budget: KeptBudget): Promise<void>;
}

/** The folders of sessions on disk. */
export abstract class SessionFolders {
  /** Deletes a temporary folder if it really lies below the root when every link is followed. False: it was left. */
  abstract remove(root: string, path: string): Promise<boolean>;
}
