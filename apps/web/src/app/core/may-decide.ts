import { hasScope } from '#contracts';
import type { Ask, Principal } from '#contracts';

/** Why this person may or may not decide an ask now. The server checks again; this only keeps buttons honest. */
export type MayDecide = 'yes' | 'own' | 'voted' | 'role' | 'among' | 'closed';

export function mayDecide(ask: Ask, me: Principal | null): MayDecide {
  if (ask.status !== 'open') return 'closed';
  if (me?.kind !== 'person') return 'role';
  if (ask.votes.some((vote) => vote.by === me.id)) return 'voted';
  if (!isAmong(ask, me)) return 'among';
  const isRequester = ask.requester === me.id || ask.requesterPersonId === me.id;
  if (isRequester) return ask.notRequester ? 'own' : 'yes';
  return hasScope(me, 'approvals:decide', ask.workspaceId) || me.scopes.includes('admin') ? 'yes' : 'role';
}

/** A voter is among each group that policy names: by role, by id or by name. */
function isAmong({ deciders = [] }: Ask, me: Principal): boolean {
  return deciders.every(
    ({ roles, people }) => roles.some((role) => me.roles.includes(role)) || people.some((one) => one === me.id || one === me.name),
  );
}
