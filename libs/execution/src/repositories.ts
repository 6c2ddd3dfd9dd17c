import type {
  OutputChunk,
  Plan,
  PlanId,
  PlanStatus,
  PrincipalId,
  ReceiptId,
  Run,
  RunId,
  RunOutcome,
  RunStatus,
  Session,
  SessionId,
  SessionStatus,
  Workspace,
  WorkspaceId,
} from '#contracts';
import type { Tx } from '#platform';
import type { Overdue } from '#receipts';
import type { SeenWork } from './core/may-act.js';
import type { EndedBy } from './core/ended-by.js';

/** Storage for workspaces. The only writer of their rows. */
export abstract class WorkspaceRepository {
  abstract find(id: WorkspaceId, tx?: Tx): Promise<Workspace | undefined>;
  /** Oldest first. */
  abstract list(): Promise<readonly Workspace[]>;
  /** False: the name or the root is taken, and nothing was written. */
  abstract insert(tx: Tx, workspace: Workspace): Promise<boolean>;
  abstract update(tx: Tx, workspace: Workspace): Promise<boolean>;
}

export interface SessionFilter {
  readonly seen?: SeenWork | undefined;
  readonly owner?: PrincipalId | undefined;
  readonly status?: SessionStatus | undefined;
  readonly workspaceId?: WorkspaceId | undefined;
}

/** Storage for sessions. */
export abstract class SessionRepository {
  abstract find(id: SessionId): Promise<Session | undefined>;
  /** The last used first. */
  abstract list(filter: SessionFilter): Promise<readonly Session[]>;
  /** Takes the lock under which this owner's open sessions are counted, and gives them; the last used first. */
  abstract openOf(tx: Tx, owner: PrincipalId, now: number): Promise<readonly Session[]>;
  abstract insert(tx: Tx, session: Session): Promise<void>;
  /** False: it is not open. */
  abstract touch(tx: Tx, id: SessionId, now: number): Promise<boolean>;
  /** Compare-and-set from `open`. False: someone else was first. */
  abstract close(tx: Tx, id: SessionId, status: Exclude<SessionStatus, 'open'>, now: number): Promise<boolean>;
  /** The same, only if nothing has happened since `before` and neither a run nor an open ask keeps it alive. */
  abstract expire(tx: Tx, id: SessionId, before: number, now: number): Promise<boolean>;
  abstract idle(before: number, limit: number): Promise<readonly SessionId[]>;
  abstract activeRun(id: SessionId): Promise<RunId | undefined>;
}

export interface PlanFilter {
  /** Left out: everyone's. */
  readonly seen?: SeenWork | undefined;
  readonly sessionId?: SessionId | undefined;
  readonly status?: PlanStatus | undefined;
  /** Only older than this plan. */
  readonly before?: PlanId | undefined;
  readonly limit: number;
}

/** What else changes when a plan moves. */
export interface PlanMove {
  readonly from: readonly PlanStatus[];
  readonly to: PlanStatus;
  readonly expiresAt?: number | undefined;
}

/** Storage for plans. The only writer of plan rows. */
export abstract class PlanRepository {
  abstract find(id: PlanId, tx?: Tx): Promise<Plan | undefined>;
  /** Newest first. */
  abstract page(filter: PlanFilter): Promise<readonly Plan[]>;
  /** The plan that holds this key while it waits. */
  abstract waiting(key: string): Promise<Plan | undefined>;
  /** False: a plan with the same key waits already, and nothing was written. */
  abstract insert(tx: Tx, plan: Plan, waitingKey: string | null): Promise<boolean>;
  /** Compare-and-set on the old status. False: someone else was first, and nothing was written. */
  abstract move(tx: Tx, id: PlanId, move: PlanMove): Promise<boolean>;
  abstract link(tx: Tx, id: PlanId, links: { readonly askId?: Plan['askId']; readonly receiptId?: ReceiptId }): Promise<void>;
  /** Plans that ended before, with their runs and output; how many there were. */
  abstract deleteEnded(tx: Tx, overdue: Overdue): Promise<number>;
  /** Gives the key free: this plan no longer stands for the next identical one. */
  abstract release(tx: Tx, id: PlanId): Promise<void>;
  /** Plans of a session that wait for a person or to be run. */
  abstract openIn(tx: Tx, sessionId: SessionId): Promise<readonly Plan[]>;
  /** Approved plans whose time is over. */
  abstract overdue(now: number, limit: number): Promise<readonly Plan[]>;
}

export type Claim = 'claimed' | 'session_taken' | 'plan_taken';
export type Wish = 'pause' | 'resume' | 'cancel';

export interface RunFilter {
  readonly seen?: SeenWork | undefined;
  readonly isActive?: boolean | undefined;
  readonly before?: RunId | undefined;
  readonly limit: number;
}

export interface TakenWish {
  readonly runId: RunId;
  readonly wish: Wish;
  readonly reason: EndedBy | null;
}

/** A run as its owner process and recovery know it. */
export interface LeasedRun {
  readonly run: Run;
  readonly leaseOwner: string;
  readonly startedBy: PrincipalId;
  /** Leaders of the process groups that were started, as far as they were written down. */
  readonly processes: readonly RunProcess[];
}

export interface RunProcess {
  readonly pid: number;
  readonly processStart: string | null;
}

export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly endedAt: number;
  readonly exitCode: number | null;
  readonly signal: number | null;
}

/** Storage for runs and their output. */
export abstract class RunRepository {
  /** Output of runs that ended before; of how many runs there was some. */
  abstract deleteOutput(tx: Tx, overdue: Overdue): Promise<number>;
  abstract find(id: RunId): Promise<Run | undefined>;
  abstract workspaceOf(id: RunId): Promise<WorkspaceId | undefined>;
  /** Newest first. */
  abstract page(filter: RunFilter): Promise<readonly Run[]>;
  /**
   * The one-shot claim: takes the session's free place, moves the plan from `approved` to `running` and writes the run row.
   * Of all callers exactly one gets `claimed`; any other answer says what was taken, and the caller rolls back.
   */
  abstract claim(tx: Tx, run: LeasedRun): Promise<Claim>;
  /** Compare-and-set from any status that is not `ended`. */
  abstract move(tx: Tx, id: RunId, status: Exclude<RunStatus, 'ended'>): Promise<boolean>;
  abstract spawned(tx: Tx, id: RunId, processes: readonly RunProcess[]): Promise<void>;
  /** Ends the run, its plan and its place in the session. Compare-and-set: only the first end of a run counts. */
  abstract end(tx: Tx, run: Run, end: RunEnd): Promise<boolean>;
  /** Names the receipt in the run and in its plan. */
  abstract link(tx: Tx, run: Run, receiptId: ReceiptId): Promise<void>;
  /** Runs that have not ended, with their owners. */
  abstract leased(): Promise<readonly LeasedRun[]>;
  /** Leaves a wish for the process that owns the run. False: it has ended. */
  abstract wish(id: RunId, wish: Wish, reason: EndedBy | null): Promise<boolean>;
  /** Takes the wishes that others left for the runs of this owner. */
  abstract takeWishes(leaseOwner: string): Promise<readonly TakenWish[]>;
  abstract appendOutput(tx: Tx, id: RunId, chunks: readonly OutputChunk[]): Promise<void>;
  abstract output(id: RunId, after: number, limit: number): Promise<readonly OutputChunk[]>;
}

/** A process that owns runs. */
export interface LeaseOwner {
  readonly id: string;
  /** Boot, host and process namespace: where its pid means something. */
  readonly place: string;
  readonly pid: number;
  readonly processStart: string | null;
  readonly heartbeatAt: number;
}

/** Storage for lease owners. */
export abstract class LeaseRepository {
  /** A sign of life; registers the owner where it is not known (any more). */
  abstract beat(owner: LeaseOwner): Promise<void>;
  abstract list(): Promise<readonly LeaseOwner[]>;
  /** Only while its last sign of life is still this one, where one is given. */
  abstract remove(id: string, heartbeatAt: number | undefined): Promise<void>;
}
