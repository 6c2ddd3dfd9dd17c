import type { Principal, PrincipalId } from '#contracts';

/** People see the team's work; a token or the parent process sees its own; an administrator sees all. */
export function maySeeWorkOf(principal: Principal, owner: PrincipalId): boolean {
  return principal.id === owner || principal.kind === 'person' || principal.scopes.includes('admin');
}

/** Whoever may see it and may run at all may also stop it or carry it out: operators share the team's work. */
export function mayActOn(principal: Principal, owner: PrincipalId): boolean {
  return maySeeWorkOf(principal, owner) && (principal.id === owner || principal.scopes.includes('terminal:execute'));
}
