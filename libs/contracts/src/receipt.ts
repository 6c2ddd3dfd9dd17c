import type { Risk } from './decision.js';
import type { Channel } from './principal.js';
import type { Limits, Pins, RunOutcome, SandboxFacts, StageJoin } from './plan.js';
import type { Mode } from './workspace.js';

export const RECEIPT_KINDS = ['run', 'decision', 'admin'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

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
  readonly channel: Channel | 'policy';
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
  readonly outcome?: RunOutcome | 'blocked' | 'rejected';
  readonly stages?: readonly StageResult[];
  readonly stdout?: StreamFact;
  readonly stderr?: StreamFact;
  readonly usage?: { readonly wall_ms: number; readonly cpu_ms: number | null; readonly max_rss_bytes: number | null };
  readonly survivors?: readonly number[];
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

/** Every signing key that was ever in use; retired ones stay, so that old receipts can be checked. */
export interface PublicKeyInfo extends PublicKey {
  readonly createdAt: number;
  readonly retiredAt: number | null;
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
