import type {
  LinkId,
  PersonInfo,
  PrincipalId,
  Role,
  Scope,
  SignInId,
  TokenInfo,
  ToolFamily,
  WorkspaceId,
  WorkspaceRoles,
} from '#contracts';
import type { Factor } from '../core/principals.js';
import type { OpenLink, PersonOfCredential } from '../ports.js';

export interface PeopleRow {
  id: PrincipalId;
  name: string;
  name_key: string;
  roles: string;
  workspace_roles: string;
  factors: string;
  created_at: number;
  disabled_at: number | null;
}

export interface TokenRow {
  id: PrincipalId;
  hash: string;
  name: string;
  person_id: PrincipalId | null;
  scopes: string;
  workspaces: string | null;
  tool_families: string | null;
  rate_per_minute: number | null;
  origin: string | null;
  created_by_name: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  rotated_to: PrincipalId | null;
}

export interface LinkRow {
  id: LinkId;
  hash: string;
  kind: 'invite' | 'reset';
  person_id: PrincipalId | null;
  roles: string;
  workspace_roles: string;
  note: string;
  created_by: string;
  created_by_name: string;
  created_at: number;
  expires_at: number;
  ended_at: number | null;
}

export interface SessionRow {
  hash: string;
  id: SignInId;
  person_id: PrincipalId;
  device: string;
  address: string;
  created_at: number;
  seen_at: number;
  proved_at: number;
  expires_at: number;
}

/** The tables of auth as both engines give them. */
// A type, not an interface: $extendTables wants an index signature.
export type AuthTables = {
  people: PeopleRow;
  passwords: { person_id: PrincipalId; hash: string; changed_at: number };
  console_sessions: SessionRow;
  tokens: TokenRow;
  welcome_links: { slot: number; hash: string; expires_at: number; used_at: number | null };
  account_links: LinkRow;
  totp_secrets: { person_id: PrincipalId; sealed: string; created_at: number; confirmed_at: number | null; used_step: number };
  recovery_codes: { hash: string; person_id: PrincipalId };
  passkeys: {
    id: string;
    person_id: PrincipalId;
    name: string;
    public_key: string;
    uses: number;
    transports: string;
    created_at: number;
    last_used_at: number | null;
  };
  proof_tickets: { hash: string; kind: string; person_id: PrincipalId; tries_left: number; expires_at: number };
};

/** A person as they stand beside a credential. */
export const PERSON_BESIDE = [
  'people.name as person_name',
  'people.roles as person_roles',
  'people.workspace_roles as person_workspace_roles',
  'people.factors as person_factors',
  'people.disabled_at as person_disabled_at',
] as const;

// The texts of these columns are written by the repositories only.
export function toPerson(row: Omit<PeopleRow, 'name_key'>): PersonInfo {
  return {
    id: row.id,
    name: row.name,
    roles: JSON.parse(row.roles) as Role[],
    workspaceRoles: JSON.parse(row.workspace_roles) as WorkspaceRoles,
    hasSecondFactor: (JSON.parse(row.factors) as Factor[]).length > 0,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  };
}

export function toToken(row: TokenRow): TokenInfo {
  return {
    id: row.id,
    name: row.name,
    personId: row.person_id,
    scopes: JSON.parse(row.scopes) as Scope[],
    workspaces: row.workspaces === null ? null : (JSON.parse(row.workspaces) as WorkspaceId[]),
    toolFamilies: row.tool_families === null ? null : (JSON.parse(row.tool_families) as ToolFamily[]),
    ratePerMinute: row.rate_per_minute,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    rotatedTo: row.rotated_to,
  };
}

export function toLink(row: LinkRow): OpenLink {
  return {
    id: row.id,
    kind: row.kind,
    personId: row.person_id,
    roles: JSON.parse(row.roles) as Role[],
    workspaceRoles: JSON.parse(row.workspace_roles) as WorkspaceRoles,
    note: row.note,
    createdBy: row.created_by as PrincipalId, // the brand exists at compile time only
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export function toPersonOfCredential(row: {
  person_id: PrincipalId;
  person_name: string;
  person_roles: string;
  person_workspace_roles: string;
  person_factors: string;
  person_disabled_at: number | null;
}): PersonOfCredential {
  return {
    id: row.person_id,
    name: row.person_name,
    roles: JSON.parse(row.person_roles) as Role[],
    workspaceRoles: JSON.parse(row.person_workspace_roles) as WorkspaceRoles,
    factors: JSON.parse(row.person_factors) as Factor[],
    disabledAt: row.person_disabled_at,
  };
}
