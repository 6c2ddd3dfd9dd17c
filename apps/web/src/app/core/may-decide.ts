import { hasScope } from '#contracts';
import type { Ask, Principal } from '#contracts';

/** Why this person may or may not decide an ask now. The server checks again; this only keeps buttons honest. */
export type MayDecide = 'yes' | 'own' | 'voted' | 'role' | 'closed';

export function mayDecide(ask: Ask, me: Principal | null): MayDecide {
  if (ask.status !== 'open') return 'closed';
  if (me?.kind !== 'person') return 'role';
  if (ask.votes.some((vote) => vote.by === me.id)) return 'voted';
  const isRequester = ask.requester === me.id || ask.requesterPersonId === me.id;
  if (isRequester) return ask.notRequester ? 'own' : 'yes';
  return hasScope(me, 'approvals:decide', ask.workspaceId) || me.scopes.includes('admin') ? 'yes' : 'role';
}
