import type { Principal, PrincipalId, Scope } from '#contracts';

/** People see the team's work; a token or the parent process sees its own, unless it administers or decides for others. */
export function maySeeWorkOf(principal: Principal, owner: PrincipalId): boolean {
  return principal.id === owner || maySeeAll(principal);
}

export function maySeeAll({ kind, scopes }: Principal): boolean {
  return kind === 'person' || scopes.includes('admin') || scopes.includes('approvals:decide');
}

/** Who may carry out or stop it: its owner, and operators, who share the team's work. A token shares nothing. */
export function mayActOn({ id, kind, scopes }: Principal, owner: PrincipalId): boolean {
  return id === owner || scopes.includes('admin') || (kind === 'person' && scopes.includes('terminal:execute'));
}

const WORKS_IN_WORKSPACES: readonly Scope[] = ['terminal:plan', 'relay:read', 'relay:drive', 'connector:use', 'approvals:decide', 'admin'];

/** A token that works in no workspace learns of none: neither their names nor, through explanations, what lies in them. */
export function mayKnowWorkspaces({ kind, scopes }: Principal): boolean {
  return kind !== 'token' || scopes.some((scope) => WORKS_IN_WORKSPACES.includes(scope));
}
