import type {
  KeyUse,
  PlanId,
  Principal,
  PrincipalId,
  PublicKeyInfo,
  ReceiptId,
  ReceiptKind,
  ReceiptSummary,
  RetentionRule,
  SessionId,
} from '#contracts';
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
  /** When the entry was made: never before the entry before it. */
  readonly at: number;
  readonly workspaceId: string | null;
  readonly tool: string | null;
  /** What policy said. */
  readonly verdict: string | null;
}

export interface ReceiptFilter {
  /** Undefined: everyone's. */
  readonly owner?: string | undefined;
  readonly q?: string | undefined;
  readonly outcome?: string | undefined;
  readonly kind?: ReceiptKind | undefined;
  readonly workspaceId?: string | undefined;
  readonly tool?: string | undefined;
  readonly verdict?: string | undefined;
  /** Times of entries: from this one on, and before that one. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface ReceiptsWanted extends ReceiptFilter {
  /** Only entries before this one. */
  readonly before: number | undefined;
  readonly limit: number;
}

export interface CountsWanted {
  readonly owner: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly by: 'outcome' | 'kind' | 'verdict';
}

export interface CountRow {
  readonly at: number;
  readonly name: string | null;
  readonly count: number;
}

/** Search over receipts. Everything that is committed is found, whether the index has met it or not. */
export abstract class SearchRepository {
  /** The entries of a time: from the first on, and before the second. */
  abstract stretch(filter: Pick<ReceiptFilter, 'from' | 'to'>): Promise<{ readonly from: number; readonly to: number }>;
  /** Newest first. */
  abstract page(wanted: ReceiptsWanted): Promise<readonly ReceiptSummary[]>;
  /** How many entries there are in each step of time; steps without one are left out. */
  abstract counts(wanted: CountsWanted): Promise<readonly CountRow[]>;
  /** Puts the next entries into the index; how many there were. */
  abstract extend(most: number): Promise<number>;
}

/** An entry of the ledger as it is found, with its body or without. */
export interface ScannedReceipt {
  readonly place: number;
  readonly leafHash: string;
  readonly stored: StoredReceipt | undefined;
  readonly deletedBy: number | null;
}

/** What is left of a receipt whose body a retention rule deleted. */
export interface DeletedReceipt {
  readonly id: ReceiptId;
  readonly index: number;
  readonly leafHash: string;
  readonly owner: PrincipalId;
  /** The place of the receipt that tells of it. */
  readonly deletedBy: number;
}

/** Storage of receipts: rows are inserted once; all that ever changes is that a rule takes the body away. */
export abstract class ReceiptRepository {
  abstract insert(tx: Tx, row: ReceiptRow): Promise<void>;
  /** Undefined also when the body is deleted. */
  abstract find(id: ReceiptId): Promise<StoredReceipt | undefined>;
  /** Every entry from a place on, oldest first. */
  abstract scan(from: number, limit: number): Promise<readonly ScannedReceipt[]>;
  abstract deleted(id: ReceiptId): Promise<DeletedReceipt | undefined>;
  /** Those of these places that still have a body, oldest first. */
  abstract at(places: readonly number[]): Promise<readonly StoredReceipt[]>;
  /** The entries that tell of deletions of bodies from one place on and before another. */
  abstract deletionsWithin(from: number, to: number): Promise<readonly number[]>;
  /** Those of these places that still have a body, in ascending order. */
  abstract placesWithBody(places: readonly number[]): Promise<readonly number[]>;
  /** The newest of a plan: of its run where it ran, else of what was decided. */
  abstract ofPlan(sessionId: SessionId, planId: PlanId): Promise<StoredReceipt | undefined>;
}

/** The right edge of the tree: how many leaves there are, and the roots of the complete subtrees they form. */
export interface LedgerEdge {
  readonly size: number;
  readonly edge: readonly string[];
}

/** The edge, and the keys that sign the next entry. */
export interface LedgerHead extends LedgerEdge {
  /** Time of the last entry. */
  readonly at: number;
  readonly keyId: string;
  readonly hmacKeyId: string;
}

export interface StoredCheckpoint {
  readonly size: number;
  readonly note: string;
  readonly keyId: string;
  readonly at: number;
}

/** Storage of the tree. `lock` is the one place where writers queue, on both engines. */
export abstract class LedgerRepository {
  /** The head, held until the transaction ends. */
  abstract lock(tx: Tx): Promise<LedgerHead>;
  abstract append(tx: Tx, edge: LedgerEdge & { readonly at: number }, nodes: readonly PlacedNode[]): Promise<void>;
  abstract head(): Promise<LedgerHead>;
  abstract nodes(places: readonly NodePlace[]): Promise<readonly PlacedNode[]>;
  /** Keeps a signed head; the first for a size stays. */
  abstract keepCheckpoint(checkpoint: StoredCheckpoint): Promise<void>;
  /** Kept heads of fewer entries than `before`, newest first. */
  abstract checkpoints(before: number, limit: number): Promise<readonly StoredCheckpoint[]>;
  /** The ledger's name; it never changes. */
  abstract origin(tx?: Tx): Promise<string>;
}

export interface StoredKey {
  readonly id: string;
  readonly use: KeyUse;
  /** SPKI DER in base64; null for HMAC keys. */
  readonly publicKey: PublicKeyInfo['publicKey'] | null;
  /** Null once the secret is destroyed. */
  readonly sealed: string | null;
  readonly createdAt: number;
  readonly retiredAt: number | null;
  readonly firstIndex: number;
  readonly lastIndex: number | null;
  readonly revokedAt: number | null;
  readonly revokedIndex: number | null;
}

export interface KeyReplacement {
  readonly from: string;
  readonly to: StoredKey;
  readonly at: number;
  /** The entry that tells of it. */
  readonly index: number;
}

/** Storage of sealed keys. Exactly one of each use is active, and the ledger's head names it; retired ones stay. */
export abstract class KeyRepository {
  /** Keeps the key unless one of its use is active already: processes that start together agree on the first. */
  abstract insertFirst(key: StoredKey): Promise<void>;
  /** The ledger gets its name and its first keys, unless it has them. */
  abstract adopt(): Promise<void>;
  /** Oldest first. */
  abstract all(tx?: Tx): Promise<readonly StoredKey[]>;
  /** The caller holds the ledger's lock. */
  abstract replace(tx: Tx, replacement: KeyReplacement): Promise<void>;
  /** False: it was revoked before. */
  abstract revoke(tx: Tx, id: string, at: number, index: number): Promise<boolean>;
}

export interface StoredRule extends RetentionRule {
  /** Whoever made it answers for what it deletes. */
  readonly by: Pick<Principal, 'id' | 'name' | 'kind' | 'channel'>;
  readonly done: number;
}

export interface OverdueReceipt {
  readonly place: number;
  readonly leafHash: string;
}

/** Storage of retention rules, and the one place where bodies go. */
export abstract class RetentionRepository {
  abstract rules(): Promise<readonly StoredRule[]>;
  abstract insert(tx: Tx, rule: StoredRule): Promise<void>;
  abstract remove(tx: Tx, id: string): Promise<StoredRule | undefined>;
  /** The oldest that the rule does not keep, ascending. Holds the rule until the transaction ends. */
  abstract overdue(tx: Tx, rule: StoredRule, before: number, limit: number): Promise<readonly OverdueReceipt[]>;
  /** Leaf, salts and place stay. `by` is the place of the receipt that tells of it. */
  abstract deleteBodies(tx: Tx, places: readonly number[], by: number): Promise<void>;
  abstract advance(tx: Tx, id: string, done: number): Promise<void>;
}
