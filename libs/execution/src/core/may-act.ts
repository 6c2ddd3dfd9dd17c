import { hasScope, hasScopeSomewhere, isConfined, seesWorkIn, workspacesSeenBy } from '#contracts';
import type { Principal, PrincipalId, Scope, WorkspaceId } from '#contracts';

/** Where work is and whose it is. A null workspace is none in particular, so only rights in all workspaces count. */
export interface Work {
  readonly owner: PrincipalId;
  readonly workspaceId: WorkspaceId | null;
}

/** One's own work, and that of these workspaces. */
export interface SeenWork {
  readonly owner: PrincipalId;
  readonly workspaces: readonly WorkspaceId[];
}

/**
 * People see the team's work where they have a role; a token or the parent process sees its own, unless it administers or
 * decides for others there.
 */
export function maySeeWorkOf(principal: Principal, { owner, workspaceId }: Work): boolean {
  return principal.id === owner || seesWorkIn(principal, workspaceId);
}

/** What a list shows; undefined: everything. */
export function workSeenBy(principal: Principal): SeenWork | undefined {
  const workspaces = workspacesSeenBy(principal);
  return workspaces && { owner: principal.id, workspaces };
}

/** Who may carry out or stop it: its owner, and operators of the workspace, who share the team's work. A token shares nothing. */
export function mayActOn(principal: Principal, { owner, workspaceId }: Work, scope: Scope): boolean {
  // The door has asked callers without differences; it let others in for any of their workspaces.
  if (principal.workspaceScopes !== undefined && !hasScope(principal, scope, workspaceId)) return false;
  if (principal.id === owner || hasScope(principal, 'admin', workspaceId)) return true;
  return principal.kind === 'person' && hasScope(principal, 'terminal:execute', workspaceId);
}

const WORKS_IN_WORKSPACES: readonly Scope[] = ['terminal:plan', 'relay:read', 'relay:drive', 'connector:use', 'approvals:decide', 'admin'];

/** A token that works in no workspace learns of none: neither their names nor, through explanations, what lies in them. */
export function mayKnowWorkspaces(principal: Principal): boolean {
  return principal.kind !== 'token' || WORKS_IN_WORKSPACES.some((scope) => hasScopeSomewhere(principal, scope));
}

/** Who is bound to workspaces learns of those only. */
export function mayKnowWorkspace(principal: Principal, id: WorkspaceId): boolean {
  return mayKnowWorkspaces(principal) && (!isConfined(principal) || principal.workspaceScopes?.[id] !== undefined);
}
