import { SCOPES, type Role, type Scope, type ToolFamily, type WorkspaceId, type WorkspaceRoles } from '#contracts';

const SEES: readonly Scope[] = ['receipts:read', 'relay:read', 'connector:read'];

/** What each role lets a person do. Deciding and running are different roles on purpose; one person may have both. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: SEES,
  operator: [...SEES, 'terminal:plan', 'terminal:execute', 'relay:drive', 'connector:use'],
  approver: [...SEES, 'approvals:decide'],
  admin: SCOPES,
};

/** What is left everywhere to a caller who is bound to workspaces: receipts of its own. */
const UNBOUND: readonly Scope[] = ['receipts:read'];

/** Scopes that are worth nothing without the tools of their family. */
const FAMILY_OF: Partial<Readonly<Record<Scope, ToolFamily>>> = {
  'terminal:plan': 'terminal',
  'terminal:execute': 'terminal',
  'relay:read': 'relay',
  'relay:drive': 'relay',
  'connector:read': 'connector',
  'connector:use': 'connector',
};

/** What somebody may do: everywhere, and besides in single workspaces. */
export interface Reach {
  readonly scopes: readonly Scope[];
  readonly workspaceScopes?: Readonly<Record<WorkspaceId, readonly Scope[]>>;
}

export interface HeldRoles {
  readonly roles: readonly Role[];
  readonly workspaceRoles: WorkspaceRoles;
}

export interface HeldGrant {
  readonly scopes: readonly Scope[];
  readonly workspaces: readonly WorkspaceId[] | null;
  readonly toolFamilies: readonly ToolFamily[] | null;
}

/** The scopes of roles, in the order of the contract. */
export function scopesOf(roles: readonly Role[]): readonly Scope[] {
  return SCOPES.filter((scope) => roles.some((role) => SCOPES_OF[role].includes(scope)));
}

export function reachOfPerson({ roles, workspaceRoles }: HeldRoles): Reach {
  const places = Object.keys(workspaceRoles) as WorkspaceId[];
  if (places.length === 0) return { scopes: scopesOf(roles) };
  const workspaceScopes = recordOf(places, (id) => scopesOf([...roles, ...(workspaceRoles[id] ?? [])]));
  return { scopes: roles.length === 0 ? UNBOUND : scopesOf(roles), workspaceScopes };
}

/** A token never reaches further than the person behind it, also when that person's roles shrink later. */
export function reachOfToken({ scopes, workspaces, toolFamilies }: HeldGrant, person: HeldRoles | null): Reach {
  const granted = withinFamilies(scopes, toolFamilies);
  const ceiling: Reach = person ? reachOfPerson(person) : { scopes: SCOPES };
  const under = (held: readonly Scope[]): readonly Scope[] => granted.filter((scope) => held.includes(scope));
  if (workspaces !== null) {
    const inOne = (id: WorkspaceId): readonly Scope[] => under([...ceiling.scopes, ...(ceiling.workspaceScopes?.[id] ?? [])]);
    return { scopes: under(ceiling.scopes).filter((scope) => UNBOUND.includes(scope)), workspaceScopes: recordOf(workspaces, inOne) };
  }
  const held = ceiling.workspaceScopes;
  if (!held) return { scopes: under(ceiling.scopes) };
  return { scopes: under(ceiling.scopes), workspaceScopes: recordOf(Object.keys(held) as WorkspaceId[], (id) => under(held[id] ?? [])) };
}

function withinFamilies(scopes: readonly Scope[], families: readonly ToolFamily[] | null): readonly Scope[] {
  if (families === null) return scopes;
  return scopes.filter((scope) => {
    const family = FAMILY_OF[scope];
    return family === undefined || families.includes(family);
  });
}

function recordOf<T>(ids: readonly WorkspaceId[], of: (id: WorkspaceId) => T): Readonly<Record<WorkspaceId, T>> {
  return Object.fromEntries(ids.map((id) => [id, of(id)])); // `fromEntries` forgets the brand
}
