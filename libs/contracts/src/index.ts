export type * from './api.js';
export { ANSWERS, ASK_KINDS, ASK_STATUSES, VOTE_CHANNELS } from './ask.js';
export type { Answer, Ask, AskFamily, AskKind, AskStatus, Vote, VoteChannel } from './ask.js';
export { EFFECTS, OUTCOMES, PATH_ROLES, RISKS } from './decision.js';
export type {
  AskTerms,
  BaseVerdict,
  Deciders,
  Decision,
  Effect,
  Outcome,
  PathRole,
  PolicyLimits,
  Risk,
  ScriptText,
  StageFacts,
  ToolCommand,
  Touch,
} from './decision.js';
export { ERRORS } from './error.js';
export type { ErrorCode, ErrorDetails, Result, WireError } from './error.js';
export type { AppEvent, EventBody, EventScope, EventType, Resync, RunFrame } from './event.js';
export type * from './id.js';
export { DELIVERY_STATUSES, NOTICE_TYPES, WEBHOOK_FORMATS } from './notice.js';
export type { CreatedWebhook, Delivery, DeliveryStatus, NoticeRoutes, NoticeType, QuietHours, Webhook, WebhookFormat } from './notice.js';
export { ENFORCEMENTS, PLAN_KINDS, PLAN_STATUSES, RUN_OUTCOMES, STAGE_JOINS } from './plan.js';
export type {
  Argv,
  CommandBody,
  Enforcement,
  FilePin,
  Limits,
  Pins,
  Plan,
  PlanKind,
  PlanStatus,
  Redirect,
  Requester,
  RunOutcome,
  SandboxFacts,
  Stage,
  StageJoin,
} from './plan.js';
export { GENERALISATIONS, PROPOSAL_STATUSES, REMEMBERED_STATES, REMEMBER_SCOPES, WEEKDAYS } from './policy.js';
export type * from './policy.js';
export {
  AGENT_SCOPES,
  CHANNELS,
  hasScope,
  rolesIn,
  hasScopeSomewhere,
  isConfined,
  PRINCIPAL_KINDS,
  PROOF_METHODS,
  ROLES,
  SCOPES,
  seesWorkIn,
  TOOL_FAMILIES,
  workspacesSeenBy,
} from './principal.js';
export type {
  AccountLink,
  AuditEntry,
  Channel,
  FactorsInfo,
  InviteInfo,
  LinkPurpose,
  PasskeyInfo,
  PersonInfo,
  Principal,
  PrincipalKind,
  ProofMethod,
  Proving,
  Role,
  Scope,
  SignInInfo,
  TokenInfo,
  ToolFamily,
  WorkspaceRoles,
} from './principal.js';
export { DECISION_OUTCOMES, KEY_USES, RECEIPT_KINDS, RECEIPT_STATUSES, RETENTION_SUBJECTS } from './receipt.js';
export type {
  ApprovalFact,
  ConnectionFact,
  ConnectorFact,
  ConsistencyProof,
  DecisionOutcome,
  DsseEnvelope,
  Evidence,
  InclusionProof,
  KeptCheckpoint,
  KeyHistory,
  KeyInfo,
  KeyRevocation,
  KeyRotation,
  KeyUse,
  LedgerCheckpoint,
  LedgerLeaves,
  NamedKey,
  NetworkFact,
  Proof,
  PublicKey,
  PublicKeyInfo,
  Receipt10,
  ReceiptCheck,
  ReceiptCounts,
  ReceiptFile,
  ReceiptKind,
  ReceiptStatus,
  ReceiptSummary,
  RetentionRecord,
  RetentionRule,
  RetentionSubject,
  StageResult,
  StreamFact,
  TypedFact,
} from './receipt.js';
export { OUTPUT_STREAMS, RUN_STATUSES } from './run.js';
export type { OutputChunk, OutputStream, Run, RunStatus } from './run.js';
export { TOOLS } from './tool.js';
export type { ToolName } from './tool.js';
export { MODES, SESSION_STATUSES } from './workspace.js';
export type { Mode, Session, SessionStatus, Workspace } from './workspace.js';
