import type { PlanId, PrincipalId, PublicKeyInfo, ReceiptId, ReceiptKind, ReceiptSummary, SessionId } from '#contracts';
import type { Tx } from '#platform';
import type { NodePlace, PlacedNode } from './core/merkle.js';

/** A receipt as it is kept: texts exactly as they were signed, and what lists and searches need. */
export interface StoredReceipt {
  readonly id: ReceiptId;
  readonly index: number;
  readonly leafHash: string;
  readonly owner: PrincipalId;
  readonly sessionId: SessionId | null;
  readonly planId: PlanId | null;
  /** Canonical JSON; null where there is no 1.0 part. */
  readonly receipt: string | null;
  readonly evidence: string;
  /** The signed in-toto statement, and the signature in base64. */
  readonly payload: string;
  readonly signature: string;
  readonly keyId: string;
  readonly hmacKeyId: string | null;
  /** Opens the ledger entry. */
  readonly seed: string;
}

export interface ReceiptRow {
  readonly stored: StoredReceipt;
  readonly summary: ReceiptSummary;
  /** Lower case; what `q` is looked for in. */
  readonly search: string;
}

export interface ReceiptFilter {
  /** Undefined: everyone's. */
  readonly owner: PrincipalId | undefined;
  readonly q: string | undefined;
  readonly outcome: string | undefined;
  readonly kind: ReceiptKind | undefined;
  /** Only entries before this one. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Storage of receipts: rows are inserted once and never change. */
export abstract class ReceiptRepository {
  abstract insert(tx: Tx, row: ReceiptRow): Promise<void>;
  abstract find(id: ReceiptId): Promise<StoredReceipt | undefined>;
  /** The newest of a plan: of its run where it ran, else of what was decided. */
  abstract ofPlan(sessionId: SessionId, planId: PlanId): Promise<StoredReceipt | undefined>;
  /** Newest first. */
  abstract page(filter: ReceiptFilter): Promise<readonly ReceiptSummary[]>;
}

/** The right edge of the tree: how many leaves there are, and the roots of the complete subtrees they form. */
export interface LedgerEdge {
  readonly size: number;
  readonly edge: readonly string[];
}

export interface StoredCheckpoint {
  readonly size: number;
  readonly note: string;
  readonly keyId: string;
  readonly at: number;
}

/** Storage of the tree. `lock` is the one place where writers queue, on both engines. */
export abstract class LedgerRepository {
  /** The edge, held until the transaction ends. */
  abstract lock(tx: Tx): Promise<LedgerEdge>;
  abstract append(tx: Tx, edge: LedgerEdge, nodes: readonly PlacedNode[]): Promise<void>;
  abstract edge(): Promise<LedgerEdge>;
  abstract nodes(places: readonly NodePlace[]): Promise<readonly PlacedNode[]>;
  /** Keeps a signed head; the first for a size stays. */
  abstract keepCheckpoint(checkpoint: StoredCheckpoint): Promise<void>;
  abstract lastCheckpoint(): Promise<StoredCheckpoint | undefined>;
  /** The ledger's name: the one given here when it has none yet. */
  abstract origin(proposed: string): Promise<string>;
}

export type KeyUse = 'ed25519' | 'hmac';

export interface StoredKey {
  readonly id: string;
  readonly use: KeyUse;
  /** SPKI DER in base64; null for HMAC keys. */
  readonly publicKey: PublicKeyInfo['publicKey'] | null;
  readonly sealed: string;
  readonly createdAt: number;
  readonly retiredAt: number | null;
}

/** Storage of sealed keys. At most one of each use is active; retired ones stay. */
export abstract class KeyRepository {
  /** Keeps the key unless one of its use is active already: processes that start together agree on the first. */
  abstract insertFirst(key: StoredKey): Promise<void>;
  abstract all(): Promise<readonly StoredKey[]>;
}
