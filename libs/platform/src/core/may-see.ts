import { seesWorkIn } from '#contracts';
import type { AppEvent, Principal } from '#contracts';

/** Events about who may do what; they are for those who configure. */
const FOR_ADMINS: ReadonlySet<AppEvent['type']> = new Set(['person.changed', 'token.changed', 'webhook.changed']);

/**
 * Whether a principal may see an event: people see the team's work where they have a role, a token or local caller its own,
 * admins all.
 */
export function maySee(principal: Principal, event: AppEvent): boolean {
  if (principal.scopes.includes('admin')) return true;
  if (FOR_ADMINS.has(event.type)) return false;
  if (event.owner === principal.id) return true;
  return principal.kind === 'person' && seesWorkIn(principal, event.workspaceId ?? null);
}
