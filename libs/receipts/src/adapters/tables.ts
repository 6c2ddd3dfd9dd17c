import type { KeyUse } from '#contracts';

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
  };
};
