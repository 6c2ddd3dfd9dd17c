import type { PrincipalId } from './id.js';

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

/** Who is calling. `id` never changes for a person or token; for `local` it is fixed per data folder. */
export interface Principal {
  readonly id: PrincipalId;
  readonly kind: PrincipalKind;
  /** As people see it. */
  readonly name: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  /** The person behind a token; absent for people and `local`. */
  readonly personId?: PrincipalId;
  readonly channel: Channel;
  /** Milliseconds; a stream that outlives it ends. */
  readonly expiresAt: number;
}

/** A token as lists show it; the secret is shown once and kept as SHA-256 only. */
export interface TokenInfo {
  readonly id: PrincipalId;
  readonly name: string;
  readonly personId: PrincipalId | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export interface PersonInfo {
  readonly id: PrincipalId;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly createdAt: number;
  readonly disabledAt: number | null;
}
