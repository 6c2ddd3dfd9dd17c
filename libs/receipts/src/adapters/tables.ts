import type { KeyUse, RetentionSubject } from '#contracts';

/** The tables of receipts as both engines give them. */
// A type, not an interface: $extendTables wants an index signature.
export type ReceiptsTables = {
  receipt_keys: {
    id: string;
    use: KeyUse;
    active_as: KeyUse | null;
    public_key: string | null;
    sealed: string;
    created_at: number;
    retired_at: number | null;
    first_index: number;
    last_index: number | null;
    revoked_at: number | null;
    revoked_index: number | null;
  };
  ledger_head: {
    slot: number;
    origin: string | null;
    size: number;
    edge: string;
    key_id: string | null;
    hmac_key_id: string | null;
    at: number;
  };
  ledger_nodes: { number: number; hash: string };
  ledger_checkpoints: { size: number; note: string; key_id: string; at: number };
  receipts: {
    place: number;
    id: string;
    leaf_hash: string;
    owner: string;
    session_id: string | null;
    plan_id: string | null;
    kind: string;
    outcome: string;
    at: number;
    summary: string;
    search: string;
    key_id: string;
    hmac_key_id: string | null;
    seed: string | null;
    signature: string | null;
    payload: string | null;
    evidence: string | null;
    receipt: string | null;
    workspace_id: string | null;
    tool: string | null;
    verdict: string | null;
    /** The place of the receipt that tells of its deletion. */
    deleted_by: number | null;
  };
  retention_rules: {
    id: string;
    subject: RetentionSubject;
    workspace_id: string | null;
    keep_days: number;
    created_at: number;
    made_by: string;
    done: number;
  };
  /** One row: the first place that the search index does not hold yet. */
  receipt_index: { slot: number; next: number };
  /** The index itself; SQLite keeps the texts' runs of three letters by itself, and gives none of them back. */
  receipt_search: { grams: never };
};

/** Tables that follow from the others, and are filled again by themselves. */
export const DERIVED_TABLES = ['receipt_index', 'receipt_search'] as const satisfies readonly (keyof ReceiptsTables)[];
