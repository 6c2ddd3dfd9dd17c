import type { ConnectorId, PlanId, PrincipalId, ReceiptId, RunId, WorkspaceId } from './id.js';
import type { Outcome } from './decision.js';

export const CONNECTOR_MODES = ['oomol-hosted', 'self-hosted'] as const;
export type ConnectorMode = (typeof CONNECTOR_MODES)[number];

/** The safe view of a connector's configuration: nothing in it is secret. */
export interface ConnectorConfiguration {
  readonly mode: ConnectorMode;
  readonly endpoint: string;
  readonly apiKeyEnv: string;
  readonly credentialRequired: boolean;
  readonly connectionsManagement: 'embedded' | 'external';
  readonly consoleUrl: string;
}

export const KEY_SOURCES = ['stored', 'environment', 'none'] as const;
export type KeySource = (typeof KEY_SOURCES)[number];

/** One connector as administrators see it. Keys are write-only: only where they come from is told. */
export interface Connector {
  readonly id: ConnectorId;
  readonly name: string;
  readonly configuration: ConnectorConfiguration;
  /** The workspaces that may use it; empty: none. */
  readonly workspaces: readonly WorkspaceId[];
  readonly teamName: string | null;
  readonly teamNameEnv: string;
  readonly serverName: string;
  readonly toolCallTimeoutMs: number;
  readonly failOnStartupError: boolean;
  readonly keySource: KeySource;
  readonly hasAdminToken: boolean;
  /** Calls go out with a runtime token of our own that allows only what policy allows. */
  readonly leastPrivilege: boolean;
  readonly createdAt: number;
  readonly changedAt: number;
}

export const CONNECTOR_PHASES = ['unconfigured', 'connecting', 'connected', 'unauthorized', 'rate-limited', 'unavailable'] as const;
export type ConnectorPhase = (typeof CONNECTOR_PHASES)[number];

export const CONNECTOR_ERROR_CODES = ['unauthorized', 'rate-limited', 'timeout', 'unavailable'] as const;
export type ConnectorErrorCode = (typeof CONNECTOR_ERROR_CODES)[number];

/** What is known of the connection to a connector. No text of the other side. */
export interface ConnectorStatus {
  readonly phase: ConnectorPhase;
  readonly errorCode: ConnectorErrorCode | null;
  readonly serverName: string | null;
  readonly serverVersion: string | null;
  readonly protocolVersion: string | null;
  readonly toolCount: number | null;
  readonly latencyMs: number | null;
  /** The endpoint answers without a key as well. */
  readonly openToAnyone: boolean;
  /** ISO time; null before the first look. */
  readonly checkedAt: string | null;
}

/** Why an operation on a connector did not work; the only thing that is told of a failure of the other side. */
export const CONNECTOR_REASONS = [
  'unconfigured',
  'unsupported',
  'not_found',
  'invalid_request',
  'invalid_response',
  'unauthorized',
  'rate_limited',
  'unavailable',
  'request_failed',
  'oauth_client_required',
  'cancelled',
] as const;
export type ConnectorReason = (typeof CONNECTOR_REASONS)[number];

export const CONNECTOR_AUTH_TYPES = ['oauth2', 'api_key', 'custom_credential', 'federated', 'no_auth'] as const;
export type ConnectorAuthType = (typeof CONNECTOR_AUTH_TYPES)[number];

/** `unknown`: a word that we do not know. It never counts as active. */
export const ACCOUNT_STATUSES = ['active', 'reauth_required', 'error', 'disconnected', 'unknown'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const PROVIDER_STATES = ['connected', 'not_connected', 'needs_attention', 'ambiguous'] as const;
export type ProviderState = (typeof PROVIDER_STATES)[number];

export interface ConnectorAccount {
  readonly id: string;
  readonly service: string;
  /** What calls name the account by on self-hosted connectors. */
  readonly connectionName: string | null;
  /** The best of its names. */
  readonly label: string;
  readonly providerAccountId: string | null;
  readonly authType: ConnectorAuthType | null;
  readonly status: AccountStatus;
  readonly isDefault: boolean;
  readonly scopes: readonly string[];
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export interface ProviderCategory {
  readonly id: string;
  readonly name: string;
}

/** A row of the list of providers. */
export interface ProviderRow {
  readonly service: string;
  readonly name: string;
  readonly iconUrl: string | null;
  readonly homepageUrl: string | null;
  readonly categories: readonly ProviderCategory[];
  readonly authTypes: readonly ConnectorAuthType[];
  readonly state: ProviderState;
  readonly accounts: number;
}

export interface ProviderList {
  readonly items: readonly ProviderRow[];
  readonly total: number;
}

export interface CredentialField {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly placeholder: string | null;
  readonly description: string | null;
}

export const SCOPE_RISKS = ['standard', 'sensitive', 'destructive', 'unknown'] as const;
export type ScopeRisk = (typeof SCOPE_RISKS)[number];

export interface ScopeOption {
  readonly value: string;
  readonly required: boolean;
  readonly defaultSelected: boolean;
  readonly risk: ScopeRisk;
}

/** One provider with its accounts and what connecting it needs. */
export interface ProviderDetail extends ProviderRow {
  readonly connected: readonly ConnectorAccount[];
  readonly apiKey: {
    readonly label: string | null;
    readonly placeholder: string | null;
    readonly description: string | null;
    readonly extraFields: readonly CredentialField[];
  } | null;
  readonly customCredential: { readonly fields: readonly CredentialField[] } | null;
  readonly oauth: {
    /** False: a client has to be set up first. */
    readonly isReady: boolean;
    readonly scopesRequired: boolean;
    readonly scopes: readonly ScopeOption[];
    /** Self-hosted only: where the provider must send people back to. */
    readonly redirectUri: string | null;
    readonly clientId: string | null;
    readonly canConfigure: boolean;
  } | null;
}

/** An account is connected, or a page of the provider has to be opened first. */
export type ConnectAnswer = { readonly account: ConnectorAccount } | { readonly authorizationUrl: string };

export const ACTION_EFFECTS = ['read', 'write', 'destructive', 'unknown'] as const;
export type ActionEffect = (typeof ACTION_EFFECTS)[number];

/** What decided about the effect of an action; strongest first. */
export const EFFECT_SOURCES = ['reviewed', 'lifecycle', 'scopes', 'verb', 'contradiction', 'nothing'] as const;
export type EffectSource = (typeof EFFECT_SOURCES)[number];

export interface EffectVerdict {
  readonly effect: ActionEffect;
  readonly source: EffectSource;
  /** One sentence, for people. */
  readonly reason: string;
}

/** A hit of a search. */
export interface ActionRow {
  readonly id: string;
  readonly service: string;
  readonly name: string;
  readonly description: string;
  readonly effect: EffectVerdict;
  readonly requiredScopes: readonly string[];
  readonly isAllowedThere: boolean;
  readonly needsAccount: boolean;
}

export interface ActionList {
  readonly items: readonly ActionRow[];
  /** How many there were before the cap. */
  readonly total: number;
}

/** All that is needed to plan an action. */
export interface ActionGuide extends ActionRow {
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly schemaDigest: string;
  /** How to use it, in the connector's own words. */
  readonly guide: string;
  readonly accounts: readonly ConnectorAccount[];
}

/** The account that an action was planned for. */
export interface PinnedAccount {
  readonly id: string;
  readonly connectionName: string | null;
  readonly accountId: string | null;
  readonly label: string;
}

/** The part of a plan that says which action of which service is called, as which account. */
export interface ConnectorCall {
  readonly connectorId: ConnectorId;
  readonly connectorName: string;
  /** Where it goes. */
  readonly origin: string;
  readonly mode: ConnectorMode;
  readonly provider: string;
  readonly action: string;
  /** Null: the action needs none. */
  readonly account: PinnedAccount | null;
  /** Canonical JSON of the input. */
  readonly input: string;
  readonly inputDigest: string;
  readonly schemaDigest: string;
  readonly effect: EffectVerdict;
  readonly scopes: readonly string[];
  /** What the connector itself said when it was planned. */
  readonly preview: { readonly allowed: boolean; readonly rule: string | null };
  readonly route: 'http' | 'mcp';
}

export const ACTION_RUN_STATUSES = ['sent', 'succeeded', 'failed', 'denied', 'unknown'] as const;
export type ActionRunStatus = (typeof ACTION_RUN_STATUSES)[number];

/** What was learnt about a call whose outcome is not known. */
export interface Finding {
  readonly at: number;
  readonly kind: 'answer' | 'replay' | 'run_log' | 'silence';
  /** Our own words. */
  readonly text: string;
  readonly executionId: string | null;
}

/** One call of an action, as it was sent. A row with `unknown` waits for a person. */
export interface ActionRun {
  readonly runId: RunId;
  readonly planId: PlanId;
  readonly workspaceId: WorkspaceId;
  readonly owner: PrincipalId;
  readonly connectorId: ConnectorId;
  readonly provider: string;
  readonly action: string;
  readonly account: string | null;
  readonly effect: ActionEffect;
  readonly status: ActionRunStatus;
  /** Stable code of what came back; null while nothing did. */
  readonly code: string | null;
  readonly executionId: string | null;
  readonly auditPersisted: boolean | null;
  readonly findings: readonly Finding[];
  /** An action that reads, with which a person may look. */
  readonly suggestion: string | null;
  readonly sentAt: number;
  readonly endedAt: number | null;
  readonly resolution: {
    readonly outcome: 'succeeded' | 'failed';
    readonly by: string;
    readonly note: string;
    readonly at: number;
    readonly receiptId: ReceiptId;
  } | null;
}

/** What our policy would say to a call now; nothing is planned by asking. */
export interface ActionPreview {
  readonly outcome: Outcome;
  readonly effect: EffectVerdict;
}
