import type { PersonInfo, PrincipalId, Role, Scope, TokenInfo } from '#contracts';
import type { PersonOfCredential } from '../ports.js';

export interface PeopleRow {
  id: PrincipalId;
  name: string;
  name_key: string;
  roles: string;
  created_at: number;
  disabled_at: number | null;
}

export interface TokenRow {
  id: PrincipalId;
  hash: string;
  name: string;
  person_id: PrincipalId | null;
  scopes: string;
  origin: string | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** The tables of auth as both engines give them. */
// A type, not an interface: $extendTables wants an index signature.
export type AuthTables = {
  people: PeopleRow;
  passwords: { person_id: PrincipalId; hash: string; changed_at: number };
  console_sessions: { hash: string; person_id: PrincipalId; created_at: number; seen_at: number; expires_at: number };
  tokens: TokenRow;
  welcome_links: { slot: number; hash: string; expires_at: number; used_at: number | null };
};

export function toPerson(row: Omit<PeopleRow, 'name_key'>): PersonInfo {
  return { id: row.id, name: row.name, roles: toRoles(row.roles), createdAt: row.created_at, disabledAt: row.disabled_at };
}

export function toToken(row: TokenRow): TokenInfo {
  return {
    id: row.id,
    name: row.name,
    personId: row.person_id,
    scopes: JSON.parse(row.scopes) as Scope[], // only `insert` writes it
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}

export function toPersonOfCredential(row: {
  person_id: PrincipalId;
  person_name: string;
  person_roles: string;
  person_disabled_at: number | null;
}): PersonOfCredential {
  return { id: row.person_id, name: row.person_name, roles: toRoles(row.person_roles), disabledAt: row.person_disabled_at };
}

function toRoles(text: string): readonly Role[] {
  return JSON.parse(text) as Role[]; // only the repository writes it
}
