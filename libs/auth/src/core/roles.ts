import { SCOPES, type Role, type Scope } from '#contracts';

const SEES: readonly Scope[] = ['receipts:read', 'relay:read', 'connector:read'];

/** What each role lets a person do. Deciding and running are different roles on purpose; one person may have both. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: SEES,
  operator: [...SEES, 'terminal:plan', 'terminal:execute', 'relay:drive', 'connector:use'],
  approver: [...SEES, 'approvals:decide'],
  admin: SCOPES,
};

/** The scopes of a person, in the order of the contract. */
export function scopesOf(roles: readonly Role[]): readonly Scope[] {
  return SCOPES.filter((scope) => roles.some((role) => SCOPES_OF[role].includes(scope)));
}

/** A token never reaches further than the person behind it, also when that person's roles shrink later. */
export function scopesOfToken(granted: readonly Scope[], personRoles: readonly Role[] | null): readonly Scope[] {
  if (!personRoles) return granted;
  const ceiling = scopesOf(personRoles);
  return granted.filter((scope) => ceiling.includes(scope));
}
