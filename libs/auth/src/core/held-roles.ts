import { ROLES, type PersonInfo, type Result, type Role, type WorkspaceId, type WorkspaceRoles } from '#contracts';
import type { HeldRoles } from './roles.js';

const MAX_WORKSPACES = 200;

/** Roles as they are kept: in the order of the contract, workspaces sorted, nothing empty. Everybody has a role somewhere. */
export function readRoles(roles: readonly Role[], workspaceRoles: WorkspaceRoles): Result<HeldRoles> {
  const places = Object.keys(workspaceRoles).sort() as WorkspaceId[];
  const held = places.map((id) => [id, inOrder(workspaceRoles[id] ?? [])] as const).filter(([, inWorkspace]) => inWorkspace.length > 0);
  if (held.length > MAX_WORKSPACES) return refuse(`Roles in at most ${MAX_WORKSPACES} workspaces`, 'workspaceRoles');
  if (roles.length === 0 && held.length === 0) return refuse('A person has at least one role', 'roles');
  return { ok: true, value: { roles: inOrder(roles), workspaceRoles: Object.fromEntries(held) } };
}

/** In words, for receipts. Names of workspaces change, so their ids stand here. */
export function describeRoles({ roles, workspaceRoles }: HeldRoles): string {
  const parts = Object.entries(workspaceRoles).map(([id, held]) => `${held.join(', ')} in workspace ${id}`);
  return [...(roles.length === 0 ? [] : [roles.join(', ')]), ...parts].join('; ');
}

/** An admin of everything who can sign in. */
export function isAdminThere({ roles, disabledAt }: Pick<PersonInfo, 'roles' | 'disabledAt'>): boolean {
  return roles.includes('admin') && disabledAt === null;
}

function inOrder(roles: readonly Role[]): readonly Role[] {
  return ROLES.filter((role) => roles.includes(role));
}

function refuse(message: string, path: string): Result<never> {
  return { ok: false, code: 'INPUT_INVALID', message, details: { path } };
}
