import type { Risk } from './decision.js';
import type { VoteChannel } from './ask.js';
import type { Channel } from './principal.js';
import type { Limits, Pins, RunOutcome, SandboxFacts, StageJoin } from './plan.js';
import type { Mode } from './workspace.js';

export const RECEIPT_KINDS = ['run', 'connector', 'decision', 'admin'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** How something that never ran ended: by policy, by a person, or by time. */
export const DECISION_OUTCOMES = ['blocked', 'rejected', 'expired', 'cancelled', 'stale', 'approved', 'answered'] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

export const RECEIPT_STATUSES = ['succeeded', 'failed', 'cancelled', 'timed_out'] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

/** Exactly the fields of the 1.0 schema; names and order of meaning are frozen. Times are ISO text. */
export interface Receipt10 {
  readonly schema_version: '1.0';
  readonly id: string;
  readonly plan_id: string;
  readonly session_id: string;
  readonly command: string;
  readonly command_sha256: string;
  readonly cwd: string;
  readonly mode: Mode;
  readonly risk: Risk;
  readonly approved: boolean;
  readonly policy: {
    readonly allowed: boolean;
    readonly risk: Risk;
    readonly requires_approval: boolean;
    readonly reasons: readonly string[];
    readonly argv: readonly string[];
  };
  readonly status: ReceiptStatus;
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly output_truncated: boolean;
  readonly sharing_redacted?: true;
  readonly signature: string;
}

export interface ApprovalFact {
  readonly by: string;
  readonly name: string;
  readonly channel: VoteChannel | 'policy';
  readonly answer: 'approve' | 'deny';
  readonly reason: string | null;
  readonly at: string;
}

export interface StageResult {
  readonly join: StageJoin;
  readonly argv: readonly string[];
  /** False when `&&` or `||` skipped it. */
  readonly ran: boolean;
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly durationMs: number;
}

export interface StreamFact {
  readonly bytes: number;
  /** Hex, over the raw bytes as the program wrote them. */
  readonly sha256: string;
  readonly kept: number;
  readonly redactions: number;
  readonly invalidUtf8: number;
}

/** Which action of which service was called. Inputs and outputs are named by their digests only. */
export interface ConnectorFact {
  readonly connector_id: string;
  readonly connector_name: string;
  readonly provider: string;
  readonly action: string;
  readonly connection: string;
  readonly execution_id: string | null;
  readonly input_sha256: string | null;
  readonly output_sha256: string | null;
}

/** One attempt of a run to reach another machine, through the proxy of the server. */
export interface ConnectionFact {
  readonly host: string;
  readonly port: number;
  /** What the name led to; null when nothing was opened. */
  readonly address: string | null;
  readonly at: number;
  readonly allowed: boolean;
  /** Why it was refused or failed. */
  readonly reason: string | null;
  readonly ms: number;
  readonly sent: number;
  readonly received: number;
}

/** What a run with granted hosts did on the network. */
export interface NetworkFact {
  readonly hosts: readonly string[];
  readonly connections: readonly ConnectionFact[];
  /** Attempts that are counted but not written out. */
  readonly leftOut: number;
  readonly refused: number;
  readonly sent: number;
  readonly received: number;
}

/** What a person typed into the terminal of a run. The words stand in the output, where the terminal echoed them. */
export interface TypedFact {
  readonly by: string;
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** What 1.0 has no place for. For kinds other than `run` only the first block is present. */
export interface Evidence {
  readonly schema: 'countersign/evidence/1';
  /** Of the receipt; the same as in the 1.0 part where there is one. */
  readonly id: string;
  readonly kind: ReceiptKind;
  readonly requester: { readonly id: string; readonly name: string; readonly kind: string; readonly channel: Channel };
  readonly at: string;
  /** One sentence of what happened, made of facts. */
  readonly summary: string;
  readonly plan_digest?: string;
  readonly plan_id?: string;
  readonly session_id?: string;
  readonly run_id?: string;
  readonly workspace?: { readonly id: string; readonly name: string; readonly root: string };
  readonly pins?: Pins;
  readonly approvals?: readonly ApprovalFact[];
  readonly policy?: {
    readonly version: string;
    readonly outcome: string;
    readonly risk: Risk;
    readonly rules: readonly string[];
    readonly reasons: readonly string[];
  };
  readonly sandbox?: SandboxFacts;
  readonly limits?: Limits;
  readonly limit_hit?: string | null;
  readonly outcome?: RunOutcome | DecisionOutcome;
  /** Kind `connector` only. */
  readonly connector?: ConnectorFact;
  readonly stages?: readonly StageResult[];
  readonly stdout?: StreamFact;
  readonly stderr?: StreamFact;
  readonly usage?: { readonly wall_ms: number; readonly cpu_ms: number | null; readonly max_rss_bytes: number | null };
  readonly survivors?: readonly number[];
  readonly network?: NetworkFact;
  readonly typed?: readonly TypedFact[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** DSSE envelope; `payload` is base64 of an in-toto statement. */
export interface DsseEnvelope {
  readonly payloadType: 'application/vnd.in-toto+json';
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** A public key; `id` is the first 16 hex digits of the SHA-256 of `publicKey` (SPKI DER in base64) decoded. */
export interface PublicKey {
  readonly id: string;
  readonly algorithm: 'ed25519';
  readonly publicKey: string;
}

/**
 * Every signing key that was ever in use; retired ones stay, so that old receipts can be checked. The order of the ledger
 * says what a key may have signed; the times are for people.
 */
export interface PublicKeyInfo extends PublicKey {
  readonly createdAt: number;
  readonly retiredAt: number | null;
  /** The first ledger entry that the key may sign. */
  readonly firstIndex: number;
  /** The last one, which is the record of its rotation; null while the key is active. */
  readonly lastIndex: number | null;
  readonly revokedAt: number | null;
  /** The ledger entry that revokes the key. */
  readonly revokedIndex: number | null;
}

/** `ed25519` signs envelopes and checkpoints, `hmac` the 1.0 part. */
export const KEY_USES = ['ed25519', 'hmac'] as const;
export type KeyUse = (typeof KEY_USES)[number];

/** A key as a record names it. HMAC keys have no public part. */
export interface NamedKey {
  readonly id: string;
  readonly algorithm: 'ed25519' | 'hmac-sha256';
  readonly publicKey?: string;
}

/** What both keys sign when one takes the place of the other. */
export interface KeyRotation {
  readonly schema: 'countersign/key-rotation/1';
  /** Origin of the ledger's checkpoints. */
  readonly ledger: string;
  readonly use: KeyUse;
  readonly at: string;
  readonly from: NamedKey;
  readonly to: NamedKey;
}

/** Stands in the receipt that revokes a key. */
export interface KeyRevocation {
  readonly schema: 'countersign/key-revocation/1';
  readonly ledger: string;
  readonly key_id: string;
  readonly reason: string;
  readonly at: string;
  /** The last entry that the key signed; null for HMAC keys. */
  readonly last_index: number | null;
}

/** `GET /api/receipts/keys/history`: all keys, and the receipts of every change of them, oldest first. */
export interface KeyHistory {
  readonly origin: string;
  readonly keys: readonly PublicKeyInfo[];
  readonly records: readonly ReceiptFile[];
}

/** A key of either use, without its secret. */
export interface KeyInfo extends NamedKey {
  readonly use: KeyUse;
  readonly isActive: boolean;
  readonly createdAt: number;
  readonly retiredAt: number | null;
  readonly firstIndex: number;
  readonly lastIndex: number | null;
  readonly revokedAt: number | null;
  readonly revokedIndex: number | null;
}

export interface Proof {
  readonly envelope: DsseEnvelope;
  readonly key: PublicKey;
  readonly ledger: {
    readonly index: number;
    /** Hex SHA-256 of the leaf (prefix 0x00). */
    readonly leafHash: string;
    /** Salts that open fields of the leaf, by JSON Pointer; `*` is the seed that gives the salt of every field. */
    readonly salts: Readonly<Record<string, string>>;
    /** Share-safe files only: salted digests of the fields that are hidden. */
    readonly digests?: Readonly<Record<string, string>>;
    readonly inclusion: { readonly treeSize: number; readonly hashes: readonly string[] } | null;
    /** Signed note of the tree head that `inclusion` leads to. */
    readonly checkpoint: string | null;
    /** Present when another key than `key` signed the checkpoint. */
    readonly checkpointKey?: PublicKey;
  };
}

/** The file that `verify` reads and that a finished run answers with. `receipt` is null for kinds other than `run`. */
export interface ReceiptFile {
  readonly receipt: Receipt10 | null;
  readonly evidence: Evidence;
  readonly proof: Proof;
}

/** A row of the receipts list. */
export interface ReceiptSummary {
  readonly id: string;
  readonly index: number;
  readonly kind: ReceiptKind;
  readonly outcome: string;
  readonly summary: string;
  readonly command: string;
  readonly risk: Risk;
  readonly requesterName: string;
  readonly approverNames: readonly string[];
  readonly workspaceName: string;
  readonly durationMs: number | null;
  readonly at: number;
}

/** One line of a verification. Null: it was not checked, and `detail` says why. */
export interface ReceiptCheck {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
}

/** The tree head that the server vouches for, as a signed note. */
export interface LedgerCheckpoint {
  readonly size: number;
  /** Hex. */
  readonly rootHash: string;
  readonly note: string;
  readonly key: PublicKey;
}

/** A signed head that was kept, once a minute while the ledger grew. */
export interface KeptCheckpoint extends LedgerCheckpoint {
  readonly at: number;
}

/** RFC 9162: the entry stands in the tree of this size. */
export interface InclusionProof {
  readonly index: number;
  readonly treeSize: number;
  readonly leafHash: string;
  readonly hashes: readonly string[];
}

/** RFC 9162: the tree of size `to` begins with the tree of size `from`. */
export interface ConsistencyProof {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: string;
  readonly toRoot: string;
  readonly hashes: readonly string[];
}

/** Leaf hashes from an index on: enough to build the tree again without us. */
export interface LedgerLeaves {
  readonly from: number;
  readonly hashes: readonly string[];
}

/** What a retention rule deletes: bodies of receipts of a kind, output of runs, or plans. */
export const RETENTION_SUBJECTS = ['run', 'connector', 'decision', 'admin', 'output', 'plan'] as const;
export type RetentionSubject = (typeof RETENTION_SUBJECTS)[number];

export interface RetentionRule {
  readonly id: string;
  readonly subject: RetentionSubject;
  /** Null: of every workspace. */
  readonly workspaceId: string | null;
  readonly keepDays: number;
  readonly createdAt: number;
}

/** Stands in the receipt of a deletion. */
export interface RetentionRecord {
  readonly schema: 'countersign/retention/1';
  readonly rule: { readonly id: string; readonly workspace_id: string | null; readonly keep_days: number };
  readonly subject: RetentionSubject;
  /** What is older was deleted. */
  readonly before: string;
  readonly count: number;
  /** Receipts only: ledger entries from first to last, both included. */
  readonly ranges?: readonly (readonly [first: number, last: number])[];
  /** Receipts only: SHA-256 over the bytes of their leaf hashes, in order. */
  readonly leaves_sha256?: string;
}

/** `GET /api/receipts/counts`: how many receipts there are in each stretch of time, by what `by` names. */
export interface ReceiptCounts {
  readonly stepMs: number;
  readonly items: readonly { readonly at: number; readonly name: string; readonly count: number }[];
}
