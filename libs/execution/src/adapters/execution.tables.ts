import type {
  AskId,
  Mode,
  OutputStream,
  PlanId,
  PlanStatus,
  PrincipalId,
  ReceiptId,
  RunId,
  RunOutcome,
  RunStatus,
  SessionId,
  SessionStatus,
  WorkspaceId,
} from '#contracts';

/** Rows as both engines hold them. */
export type ExecutionTables = {
  workspaces: {
    id: WorkspaceId;
    name: string;
    root: string;
    mode: Mode;
    tool_paths: string;
    git_identity: string | null;
    created_at: number;
  };
  sessions: {
    id: SessionId;
    owner: PrincipalId;
    owner_name: string;
    workspace_id: WorkspaceId;
    status: SessionStatus;
    created_at: number;
    last_active_at: number;
    closed_at: number | null;
    active_run_id: RunId | null;
  };
  session_owners: { owner: PrincipalId; last_opened_at: number };
  /** `body` never changes after insert; all that moves has a column. */
  plans: {
    id: PlanId;
    session_id: SessionId;
    owner: PrincipalId;
    status: PlanStatus;
    expires_at: number;
    ask_id: AskId | null;
    run_id: RunId | null;
    receipt_id: ReceiptId | null;
    waiting_key: string | null;
    body: string;
  };
  runs: {
    id: RunId;
    plan_id: PlanId;
    session_id: SessionId;
    owner: PrincipalId;
    status: RunStatus;
    outcome: RunOutcome | null;
    started_at: number;
    ended_at: number | null;
    exit_code: number | null;
    signal: number | null;
    receipt_id: ReceiptId | null;
    lease_owner: string;
    started_by: PrincipalId;
    processes: string;
    wish: 'pause' | 'resume' | 'cancel' | null;
    wish_reason: string | null;
  };
  /** `text` is a JSON string: PostgreSQL keeps no NUL in a text, and programs write them. */
  run_output: { run_id: RunId; seq: number; stream: OutputStream; text: string; at: number };
  lease_owners: { id: string; place: string; pid: number; process_start: string | null; heartbeat_at: number };
};
