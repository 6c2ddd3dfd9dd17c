interface ErrorRow {
  readonly http: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 429 | 500 | 503 | 507;
  /** `never`: the same call will not work. `after_change`: change the call. `later`: the same call may work later. */
  readonly retry: 'never' | 'after_change' | 'later';
}

/** Every code the product can put on a wire. Frozen by a pin test. */
export const ERRORS = {
  // input
  INPUT_INVALID: { http: 400, retry: 'after_change' },
  JSON_INVALID: { http: 400, retry: 'after_change' },
  BODY_TOO_LARGE: { http: 413, retry: 'after_change' },
  CONTENT_TYPE_UNSUPPORTED: { http: 415, retry: 'after_change' },
  CURSOR_INVALID: { http: 400, retry: 'after_change' },
  REQUEST_ID_CONFLICT: { http: 409, retry: 'after_change' },
  ROUTE_NOT_FOUND: { http: 404, retry: 'never' },
  // who
  AUTH_REQUIRED: { http: 401, retry: 'after_change' },
  CREDENTIALS_INVALID: { http: 401, retry: 'after_change' },
  TOKEN_EXPIRED: { http: 401, retry: 'after_change' },
  LINK_INVALID: { http: 410, retry: 'after_change' },
  CSRF_INVALID: { http: 403, retry: 'after_change' },
  HOST_NOT_ALLOWED: { http: 403, retry: 'never' },
  ORIGIN_NOT_ALLOWED: { http: 403, retry: 'never' },
  SCOPE_MISSING: { http: 403, retry: 'never' },
  ROLE_MISSING: { http: 403, retry: 'never' },
  RATE_LIMITED: { http: 429, retry: 'later' },
  PERSON_NAME_TAKEN: { http: 409, retry: 'after_change' },
  PERSON_NOT_FOUND: { http: 404, retry: 'never' },
  OWNER_EXISTS: { http: 409, retry: 'never' },
  LAST_ADMIN: { http: 409, retry: 'after_change' },
  LINK_NOT_FOUND: { http: 404, retry: 'never' },
  SIGN_IN_NOT_FOUND: { http: 404, retry: 'never' },
  PROOF_INVALID: { http: 403, retry: 'after_change' },
  STEP_UP_REQUIRED: { http: 403, retry: 'after_change' },
  SECOND_FACTOR_MISSING: { http: 403, retry: 'after_change' },
  SECOND_FACTOR_NOT_FOUND: { http: 404, retry: 'never' },
  TOOL_NOT_ALLOWED: { http: 403, retry: 'never' },
  TOKEN_NOT_FOUND: { http: 404, retry: 'never' },
  // workspaces and sessions
  WORKSPACE_NOT_FOUND: { http: 404, retry: 'never' },
  WORKSPACE_GONE: { http: 409, retry: 'later' },
  WORKSPACE_PATH_INVALID: { http: 400, retry: 'after_change' },
  WORKSPACE_NAME_TAKEN: { http: 409, retry: 'after_change' },
  SESSION_NOT_FOUND: { http: 404, retry: 'never' },
  SESSION_CLOSED: { http: 410, retry: 'after_change' },
  SESSION_BUSY: { http: 409, retry: 'later' },
  SESSION_LIMIT: { http: 429, retry: 'later' },
  // plans and policy
  COMMAND_INVALID: { http: 400, retry: 'after_change' },
  COMMAND_LIMIT: { http: 400, retry: 'after_change' },
  CWD_INVALID: { http: 400, retry: 'after_change' },
  ENV_NOT_ALLOWED: { http: 400, retry: 'after_change' },
  LIMITS_INVALID: { http: 400, retry: 'after_change' },
  PLAN_NOT_FOUND: { http: 404, retry: 'never' },
  PLAN_BLOCKED: { http: 409, retry: 'after_change' },
  PLAN_NOT_APPROVED: { http: 409, retry: 'later' },
  PLAN_REJECTED: { http: 409, retry: 'after_change' },
  PLAN_STALE: { http: 409, retry: 'after_change' },
  PLAN_EXPIRED: { http: 410, retry: 'after_change' },
  PLAN_ALREADY_RUNNING: { http: 409, retry: 'never' },
  PLAN_ALREADY_RUN: { http: 409, retry: 'never' },
  PLAN_STATUS_CONFLICT: { http: 409, retry: 'after_change' },
  PLAN_DIGEST_MISMATCH: { http: 409, retry: 'after_change' },
  PLAN_KIND_UNKNOWN: { http: 400, retry: 'after_change' },
  POLICY_INVALID: { http: 400, retry: 'after_change' },
  POLICY_VERSION_CONFLICT: { http: 409, retry: 'after_change' },
  POLICY_VERSION_NOT_FOUND: { http: 404, retry: 'never' },
  PROPOSAL_NOT_FOUND: { http: 404, retry: 'never' },
  PROPOSAL_CLOSED: { http: 409, retry: 'never' },
  LEARNING_REFUSED: { http: 409, retry: 'never' },
  // asks
  ASK_NOT_FOUND: { http: 404, retry: 'never' },
  ASK_ALREADY_RESOLVED: { http: 409, retry: 'never' },
  ASK_EXPIRED: { http: 410, retry: 'after_change' },
  ASK_DIGEST_MISMATCH: { http: 409, retry: 'after_change' },
  VOTE_NOT_ALLOWED: { http: 403, retry: 'never' },
  VOTE_ALREADY_GIVEN: { http: 409, retry: 'never' },
  REMEMBER_REFUSED: { http: 409, retry: 'after_change' },
  REMEMBERED_NOT_FOUND: { http: 404, retry: 'never' },
  // runs and evidence
  RUN_NOT_FOUND: { http: 404, retry: 'never' },
  RUN_ENDED: { http: 409, retry: 'never' },
  RUN_LIMIT: { http: 429, retry: 'later' },
  RUN_TAKES_NO_INPUT: { http: 409, retry: 'never' },
  TERMINAL_UNAVAILABLE: { http: 503, retry: 'after_change' },
  EXECUTABLE_NOT_FOUND: { http: 409, retry: 'after_change' },
  EXECUTOR_UNAVAILABLE: { http: 503, retry: 'later' },
  SANDBOX_UNAVAILABLE: { http: 503, retry: 'after_change' },
  RECEIPT_NOT_FOUND: { http: 404, retry: 'never' },
  RECEIPT_DELETED: { http: 410, retry: 'never' },
  KEY_NOT_FOUND: { http: 404, retry: 'never' },
  KEY_REVOKED: { http: 409, retry: 'never' },
  RETENTION_RULE_NOT_FOUND: { http: 404, retry: 'never' },
  WEBHOOK_NOT_FOUND: { http: 404, retry: 'never' },
  WEBHOOK_URL_INVALID: { http: 400, retry: 'after_change' },
  WEBHOOK_CONFLICT: { http: 409, retry: 'after_change' },
  WEBHOOK_LIMIT: { http: 409, retry: 'after_change' },
  RESOURCE_NOT_FOUND: { http: 404, retry: 'never' },
  // the server itself
  STORAGE_FULL: { http: 507, retry: 'later' },
  STORAGE_UNAVAILABLE: { http: 503, retry: 'later' },
  SHUTTING_DOWN: { http: 503, retry: 'later' },
  INTERNAL: { http: 500, retry: 'later' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The body of every failed answer, on every door: `{ error: WireError }`. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retry: ErrorRow['retry'];
  readonly details: ErrorDetails;
}

/** How pure code says no: as data. `unwrap` in platform turns it into a throw. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails };
