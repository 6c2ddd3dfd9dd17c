import type { LinkId, PrincipalId, SignInId, WorkspaceId } from './id.js';

export const PRINCIPAL_KINDS = ['person', 'token', 'local'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

/** Viewer sees, operator plans, runs and drives, approver decides, admin configures. */
export const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const SCOPES = [
  'terminal:plan',
  'terminal:execute',
  'approvals:decide',
  'relay:read',
  'relay:drive',
  'connector:read',
  'connector:use',
  'receipts:read',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a token for an agent gets when nobody says otherwise. Never `approvals:decide` or `admin`. */
export const AGENT_SCOPES = ['terminal:plan', 'terminal:execute', 'receipts:read'] as const satisfies readonly Scope[];

/** The door through which a principal came; stands in votes and receipts. */
export const CHANNELS = ['console', 'rest', 'mcp', 'stdio', 'cli'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Roles in single workspaces, over those for all; by workspace id. */
export type WorkspaceRoles = Readonly<Record<WorkspaceId, readonly Role[]>>;

/** The part of the tools that a token may use. */
export const TOOL_FAMILIES = ['terminal', 'policy', 'relay', 'connector'] as const;
export type ToolFamily = (typeof TOOL_FAMILIES)[number];

/** How a person can prove that it is still them. A password counts only for who has no second factor. */
export const PROOF_METHODS = ['password', 'totp', 'passkey', 'recovery'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** Who is calling. `id` never changes for a person or token; for `local` it is fixed per data folder. */
export interface Principal {
  readonly id: PrincipalId;
  readonly kind: PrincipalKind;
  /** As people see it. */
  readonly name: string;
  /** For all workspaces. */
  readonly roles: readonly Role[];
  /** Besides, in single workspaces. Present only where there are any; ask `rolesIn`. */
  readonly workspaceRoles?: WorkspaceRoles;
  /** What the caller may do in all workspaces. */
  readonly scopes: readonly Scope[];
  /** What it may do besides in single workspaces. Present only where they differ; ask `hasScope`. */
  readonly workspaceScopes?: Readonly<Record<WorkspaceId, readonly Scope[]>>;
  /** The only tools of a token; absent: every family. */
  readonly toolFamilies?: readonly ToolFamily[];
  /** The person behind a token; absent for people and `local`. */
  readonly personId?: PrincipalId;
  readonly channel: Channel;
  /** Milliseconds; a stream that outlives it ends. */
  readonly expiresAt: number;
  /** People at the console only. */
  readonly proof?: Proving;
}

/** What is known of a person's proofs in this sign-in. */
export interface Proving {
  /** When they last proved in this sign-in that it is them. */
  readonly provedAt: number;
  /** What a new proof can be. */
  readonly methods: readonly ProofMethod[];
  /** Their role asks for a second factor and they have none: until they have, they may set one up and nothing else. */
  readonly mustEnrol: boolean;
}

type Scoped = Pick<Principal, 'scopes' | 'workspaceScopes'>;

/** Whether a caller has a scope in this workspace. Null asks for all workspaces. */
export function hasScope({ scopes, workspaceScopes }: Scoped, scope: Scope, workspaceId: WorkspaceId | null): boolean {
  return scopes.includes(scope) || (workspaceId !== null && (workspaceScopes?.[workspaceId] ?? []).includes(scope));
}

/** The roles that count in this workspace. Null: those for all. */
export function rolesIn(
  { roles, workspaceRoles }: Pick<Principal, 'roles' | 'workspaceRoles'>,
  workspaceId: WorkspaceId | null,
): readonly Role[] {
  const here = workspaceId === null ? [] : (workspaceRoles?.[workspaceId] ?? []);
  return here.length === 0 ? roles : [...new Set([...roles, ...here])];
}

/** Whether a caller has a scope in any workspace: enough to open a door behind which the workspace is asked for. */
export function hasScopeSomewhere({ scopes, workspaceScopes }: Scoped, scope: Scope): boolean {
  return scopes.includes(scope) || Object.values(workspaceScopes ?? {}).some((held) => held.includes(scope));
}

/** True for people who have no role for all workspaces, and for tokens whose reach differs between workspaces. */
export function isConfined({ roles, workspaceScopes }: Pick<Principal, 'roles' | 'workspaceScopes'>): boolean {
  return workspaceScopes !== undefined && roles.length === 0;
}

/**
 * Whether a caller sees the work of others in this workspace: people do, where they have any role; a token only where it
 * administers or decides for others.
 */
export function seesWorkIn(
  caller: Pick<Principal, 'kind' | 'roles' | 'scopes' | 'workspaceScopes'>,
  workspaceId: WorkspaceId | null,
): boolean {
  if (hasScope(caller, 'admin', workspaceId) || hasScope(caller, 'approvals:decide', workspaceId)) return true;
  if (caller.kind !== 'person') return false;
  return !isConfined(caller) || (workspaceId !== null && caller.workspaceScopes?.[workspaceId] !== undefined);
}

/** The workspaces whose work a caller sees besides its own; undefined: all of them. */
export function workspacesSeenBy(
  caller: Pick<Principal, 'kind' | 'roles' | 'scopes' | 'workspaceScopes'>,
): readonly WorkspaceId[] | undefined {
  if (seesWorkIn(caller, null)) return undefined;
  return (Object.keys(caller.workspaceScopes ?? {}) as WorkspaceId[]).filter((id) => seesWorkIn(caller, id));
}

/** A token as lists show it; the secret is shown once and kept as SHA-256 only. */
export interface TokenInfo {
  readonly id: PrincipalId;
  readonly name: string;
  readonly personId: PrincipalId | null;
  readonly scopes: readonly Scope[];
  /** The only workspaces that it works in; null: all. */
  readonly workspaces: readonly WorkspaceId[] | null;
  /** The only tools that it may use; null: all. */
  readonly toolFamilies: readonly ToolFamily[] | null;
  /** Requests a minute; null: as many as anybody. */
  readonly ratePerMinute: number | null;
  readonly createdByName: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** The token that took its place; it works until `expiresAt`. */
  readonly rotatedTo: PrincipalId | null;
}

export interface PersonInfo {
  readonly id: PrincipalId;
  readonly name: string;
  /** For all workspaces. */
  readonly roles: readonly Role[];
  readonly workspaceRoles: WorkspaceRoles;
  readonly hasSecondFactor: boolean;
  readonly createdAt: number;
  readonly disabledAt: number | null;
}

/** An invitation as lists show it; its secret stands in the link only. */
export interface InviteInfo {
  readonly id: LinkId;
  readonly roles: readonly Role[];
  readonly workspaceRoles: WorkspaceRoles;
  /** Who is meant, in the words of who invites. */
  readonly note: string;
  readonly createdByName: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A one-use link; the secret stands in its fragment, which no browser sends and no server logs. */
export interface AccountLink {
  readonly id: LinkId;
  readonly url: string;
  readonly expiresAt: number;
}

/** What a one-use link is for, told to whoever holds it. */
export interface LinkPurpose {
  readonly kind: 'invite' | 'reset';
  /** Of whom the password is reset; null for an invitation. */
  readonly name: string | null;
  readonly roles: readonly Role[];
  readonly expiresAt: number;
}

/** One browser in which a person is signed in. */
export interface SignInInfo {
  readonly id: SignInId;
  /** Such as "Firefox on Linux". */
  readonly device: string;
  readonly address: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  /** The one that asks. */
  readonly isThis: boolean;
}

export interface PasskeyInfo {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The second factors of a person. */
export interface FactorsInfo {
  readonly totp: { readonly since: number } | null;
  readonly passkeys: readonly PasskeyInfo[];
  /** How many codes are left. */
  readonly recoveryCodes: number;
  /** False where the address of this server is no name: browsers keep passkeys for names only. */
  readonly passkeysPossible: boolean;
}

/** One change of people, roles, tokens, policy, keys or workspaces, as its receipt of kind `admin` tells it. */
export interface AuditEntry {
  readonly receiptId: string;
  /** Place in the ledger. */
  readonly index: number;
  readonly at: number;
  readonly byId: string;
  readonly byName: string;
  /** Null where a retention rule deleted the body. */
  readonly channel: Channel | null;
  /** Such as `person.changed`; empty where a retention rule deleted the body. */
  readonly action: string;
  readonly summary: string;
  readonly before: unknown;
  readonly after: unknown;
  /** What else is known, such as the id of the person. */
  readonly details: Readonly<Record<string, unknown>>;
}
