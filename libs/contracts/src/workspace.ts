import type { PrincipalId, SessionId, WorkspaceId } from './id.js';

/** What runs without a person: `inspect` reads, `confirm` asks for the rest, `trusted` also writes and runs project code. */
export const MODES = ['inspect', 'confirm', 'trusted'] as const;
export type Mode = (typeof MODES)[number];

/** A registered folder. Nothing outside a registered workspace is ever touched. */
export interface Workspace {
  readonly id: WorkspaceId;
  readonly name: string;
  /** Real absolute path. */
  readonly root: string;
  readonly mode: Mode;
  /** Extra folders of executables, absolute, never inside the workspace. */
  readonly toolPaths: readonly string[];
  readonly gitIdentity: { readonly name: string; readonly email: string } | null;
  readonly createdAt: number;
}

export const SESSION_STATUSES = ['open', 'closed', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface Session {
  readonly id: SessionId;
  readonly owner: PrincipalId;
  readonly ownerName: string;
  readonly workspaceId: WorkspaceId;
  readonly status: SessionStatus;
  readonly createdAt: number;
  readonly lastActiveAt: number;
  readonly closedAt: number | null;
}
