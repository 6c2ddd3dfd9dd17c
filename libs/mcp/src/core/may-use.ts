import { hasScopeSomewhere } from '#contracts';
import type { Principal, Scope, ToolFamily } from '#contracts';

/** What a tool, resource or prompt asks of its caller. */
export interface Wanted {
  readonly scope: Scope | null;
  /** The scope may be held in single workspaces: the tool asks again for the one it is about. */
  readonly perWorkspace?: boolean | undefined;
}

const FAMILIES: readonly (readonly [string, ToolFamily])[] = [
  ['terminal_', 'terminal'],
  ['policy_', 'policy'],
  ['dsh_', 'relay'],
  ['connector_', 'connector'],
];

export function hasWanted(principal: Principal, { scope, perWorkspace }: Wanted): boolean {
  if (scope === null || principal.scopes.includes(scope)) return true;
  return perWorkspace === true && hasScopeSomewhere(principal, scope);
}

/** Whether a tool is of the families that a token may use; tools of no family are for everyone. */
export function isInFamilies({ toolFamilies }: Principal, name: string): boolean {
  const family = FAMILIES.find(([prefix]) => name.startsWith(prefix))?.[1];
  return toolFamilies === undefined || family === undefined || toolFamilies.includes(family);
}
