import type { Decision } from './decision.js';
import type { AskId, PlanId, PrincipalId, ReceiptId, RunId, SessionId, WorkspaceId } from './id.js';
import type { Channel, PrincipalKind, Role } from './principal.js';
import type { Mode } from './workspace.js';

export const PLAN_KINDS = ['command', 'connector_action'] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

export const PLAN_STATUSES = [
  'planned',
  'blocked',
  'awaiting_approval',
  'approved',
  'rejected',
  'expired',
  'stale',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
  'interrupted',
  'unknown',
] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** How a run can end. */
export const RUN_OUTCOMES = ['succeeded', 'failed', 'cancelled', 'timed_out', 'interrupted', 'unknown'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export type Argv = readonly string[];

/** How a stage is joined to the one before it; the first stage has `first`. */
export const STAGE_JOINS = ['first', 'pipe', 'and', 'or', 'then'] as const;
export type StageJoin = (typeof STAGE_JOINS)[number];

/** A redirection to or from a file, path absolute. */
export interface Redirect {
  readonly stream: 'stdin' | 'stdout' | 'stderr' | 'both';
  readonly path: string;
  readonly append: boolean;
}

export interface Stage {
  readonly join: StageJoin;
  readonly argv: Argv;
  readonly redirects: readonly Redirect[];
  /** Standard error goes where standard output goes (`2>&1`, `|&`); without a redirect of stdout into the pipe. */
  readonly stderrToStdout?: boolean;
}

export interface Limits {
  readonly timeoutMs: number;
  /** Kept per stream (head and tail); the rest is counted and hashed. */
  readonly maxOutputBytes: number;
  /** Processor time of all its processes. */
  readonly cpuMs?: number;
  /** Resident memory of all its processes together. */
  readonly memoryBytes?: number;
  /** Processes alive at once. */
  readonly processes?: number;
  /** Size of one file that it writes. */
  readonly fileBytes?: number;
  readonly openFiles?: number;
  /** Hosts that it may reach: `host` (https), `host:port`, `*.domain`. Without it there is no network. */
  readonly network?: { readonly hosts: readonly string[] };
}

/** Identity of a file or folder as it was seen at plan time. */
export interface FilePin {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Only for scripts and executables inside a workspace. */
  readonly sha256?: string;
}

/** What the plan saw. The run checks all of it again and refuses with PLAN_STALE. */
export interface Pins {
  readonly cwd: FilePin;
  readonly root: FilePin;
  /** One per stage, in order; null when the tool is not installed. */
  readonly executables: readonly (FilePin | null)[];
  readonly files: readonly FilePin[];
  readonly envNames: readonly string[];
  readonly policyVersion: string;
}

export const ENFORCEMENTS = ['full', 'partial', 'none'] as const;
export type Enforcement = (typeof ENFORCEMENTS)[number];

/** What really contains a run. */
export interface SandboxFacts {
  readonly kind: 'bwrap' | 'landlock' | 'seatbelt' | 'none';
  readonly version: string | null;
  readonly enforcement: Enforcement;
  readonly network: 'none' | 'hosts' | 'open';
  readonly fileSystem: 'read_only' | 'workspace_write' | 'open';
  readonly pidNamespace: boolean;
  readonly seccomp: boolean;
}

/** The part of a plan that its digest covers. Never changes after insert. */
export interface CommandBody {
  readonly kind: 'command';
  /** Original text when the caller sent a string. */
  readonly command: string | null;
  readonly stages: readonly Stage[];
  /** Real absolute path. */
  readonly cwd: string;
  readonly mode: Mode;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** It runs in a terminal, into which people may type. */
  readonly tty?: true;
}

/** Who asked, as policy saw them when the plan was made. */
export interface Requester {
  readonly id: PrincipalId;
  readonly kind: PrincipalKind;
  readonly name: string;
  /** Of the person, or of the person behind a token. */
  readonly roles: readonly Role[];
  readonly personId: PrincipalId | null;
}

/** An immutable, versioned description of one action. Only status, expiry and links move. */
export interface Plan {
  readonly id: PlanId;
  readonly sessionId: SessionId;
  readonly workspaceId: WorkspaceId;
  readonly owner: PrincipalId;
  readonly ownerName: string;
  readonly channel: Channel;
  readonly body: CommandBody;
  readonly pins: Pins;
  readonly decision: Decision;
  readonly sandbox: SandboxFacts;
  /** SHA-256 hex over the canonical JSON (RFC 8785) of body and pins. */
  readonly digest: string;
  readonly createdAt: number;
  readonly status: PlanStatus;
  readonly expiresAt: number;
  readonly askId: AskId | null;
  readonly runId: RunId | null;
  readonly receiptId: ReceiptId | null;
  /** A plan that a person made by editing another names it. */
  readonly editedFrom: PlanId | null;
  readonly requester?: Requester;
}
