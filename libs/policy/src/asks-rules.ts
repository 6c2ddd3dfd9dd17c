import { hasScope, rolesIn, seesWorkIn, workspacesSeenBy } from '#contracts';
import type { Answer, Ask, AskStatus, Deciders, Principal, PrincipalId, Result, WorkspaceId } from '#contracts';
import { nameKey } from './core/documents/name-key.js';

/** Who a principal is as a person: a token votes for the person behind it. */
export function personOf({ id, personId }: Principal): PrincipalId {
  return personId ?? id;
}

/**
 * Whether this principal may vote on this ask. The one rule for every door: console, REST, MCP.
 * Never a token that asked itself; nobody of the asking side where policy says so.
 */
export function mayVote(principal: Principal, ask: Ask): Result<Ask> {
  const isRequester = principal.id === ask.requester;
  const isOfRequester = personOf(principal) === (ask.requesterPersonId ?? ask.requester);
  if (isRequester && principal.kind !== 'person') return refuse(ask, 'Who asked cannot decide; a person has to');
  if (ask.notRequester && (isRequester || isOfRequester)) return refuse(ask, 'Policy wants another person than the one who asked');
  const isOwnPerson = principal.kind === 'person' && isOfRequester;
  if (isOwnPerson || hasScope(principal, 'approvals:decide', ask.workspaceId)) return { ok: true, value: ask };
  return refuse(ask, 'This needs the scope approvals:decide');
}

/** Who votes, with the roles of the person, also behind a token. */
export interface Voter extends Pick<Principal, 'roles' | 'workspaceRoles'> {
  readonly id: PrincipalId;
  /** Null: of nobody, or of somebody who is not found. */
  readonly name: string | null;
  /** False: a token that nobody stands behind. */
  readonly isPerson: boolean;
}

/**
 * Whether the policy document lets this person decide: they must be among each of its circles. It never gives a right that is not there.
 * Where it counts people, a token that nobody stands behind is not one: it may be a second vote of the same person, or of who asked.
 */
export function mayDecide({ id, name, isPerson, ...held }: Voter, ask: Ask): Result<Ask> {
  const countsPeople = ask.quorum > 1 || ask.notRequester || (ask.deciders ?? []).length > 0;
  if (countsPeople && !isPerson) return refuse(ask, 'Policy wants people to decide this, and nobody stands behind this token');
  const roles = rolesIn(held, ask.workspaceId);
  const isIn = (circle: Deciders): boolean =>
    circle.roles.some((role) => roles.includes(role)) ||
    circle.people.some((one) => one === id || (name !== null && nameKey(one) === nameKey(name)));
  if ((ask.deciders ?? []).every(isIn)) return { ok: true, value: ask };
  return refuse(ask, 'Policy wants other people to decide this');
}

/** What the votes decide: one no is enough, a yes needs the quorum. Undefined: more votes are needed. */
export function decided(ask: Pick<Ask, 'quorum'>, answers: readonly Answer[]): Extract<AskStatus, 'approved' | 'denied'> | undefined {
  if (answers.includes('deny')) return 'denied';
  return answers.length >= Math.max(1, ask.quorum) ? 'approved' : undefined;
}

/** An open ask whose time is over counts as expired everywhere, also before that is written down. Silence is never consent. */
export function asOf(ask: Ask, now: number): Ask {
  return ask.status === 'open' && now >= ask.expiresAt ? { ...ask, status: 'expired', resolvedAt: ask.expiresAt } : ask;
}

/** People see every ask of where they have a role, and so does who may decide there; an agent sees what it asked itself. */
export function maySeeAsk(principal: Principal, { requester, workspaceId }: Ask): boolean {
  return requester === principal.id || seesWorkIn(principal, workspaceId);
}

/** What a list shows: one's own asks and those of these workspaces. Undefined: everyone's. */
export interface SeenAsks {
  readonly requester: PrincipalId;
  readonly workspaces: readonly WorkspaceId[];
}

export function asksSeenBy(principal: Principal): SeenAsks | undefined {
  const workspaces = workspacesSeenBy(principal);
  return workspaces && { requester: principal.id, workspaces };
}

function refuse({ id }: Ask, message: string): Result<Ask> {
  return { ok: false, code: 'VOTE_NOT_ALLOWED', message, details: { askId: id } };
}
