import {
  hasScope,
  hasScopeSomewhere,
  type ErrorCode,
  type ErrorDetails,
  type Principal,
  type PrincipalId,
  type Result,
  type Scope,
  type WorkspaceId,
} from '#contracts';

/** Scopes that decide or rule. Only an administrator puts them into a token, and never by default. */
const RULING: readonly Scope[] = ['approvals:decide', 'admin'];

export interface WantedToken {
  readonly personId: PrincipalId | null;
  readonly scopes: readonly Scope[];
  readonly workspaces?: readonly WorkspaceId[] | null;
}

/** Whether scopes decide or rule, so that giving them wants a fresh proof. */
export function areRuling(scopes: readonly Scope[]): boolean {
  return scopes.some((scope) => RULING.includes(scope));
}

/**
 * Who changes people and tokens of others: a person who is admin, an admin token with a person behind it (whose
 * roles bound it), and the command line on the machine that holds the data folder. An agent is none of these.
 */
export function isAdministrator(caller: Principal): boolean {
  if (!caller.scopes.includes('admin')) return false;
  switch (caller.kind) {
    case 'person':
      return true;
    case 'token':
      return caller.personId !== undefined;
    case 'local':
      return caller.channel === 'cli';
  }
}

/** What administrators change, somebody answers for: a token that nobody stands behind reads at most, whatever its scopes say. */
export function checkAnswerable(caller: Principal): Result<null> {
  if (caller.kind !== 'token' || caller.personId !== undefined) return { ok: true, value: null };
  return refuse('SCOPE_MISSING', 'Nobody stands behind this token, so it changes nothing here', { scope: 'admin' });
}

export function checkAdministrator(caller: Principal): Result<null> {
  if (isAdministrator(caller)) return { ok: true, value: null };
  return refuse('SCOPE_MISSING', 'Only an administrator may do this', { scope: 'admin' });
}

/** The person whose tokens the caller may see and revoke; null means everybody's. */
export function checkTokenKeeper(caller: Principal): Result<PrincipalId | null> {
  if (isAdministrator(caller)) return { ok: true, value: null };
  if (caller.kind === 'person') return { ok: true, value: caller.id };
  return refuse('SCOPE_MISSING', 'Tokens are managed by a person at the console, or with an admin token of a person', { scope: 'admin' });
}

/** Whether the caller may have the secret of this token: nobody speaks for another person, an administrator neither. */
export function checkHolder(caller: Principal, { personId }: Pick<WantedToken, 'personId'>): Result<null> {
  const person = caller.kind === 'person' ? caller.id : caller.personId;
  if (caller.kind === 'local' || personId === null || personId === person) return { ok: true, value: null };
  return refuse('SCOPE_MISSING', 'Only the person behind a token gets a successor of it', { scope: 'admin' });
}

/** Whether the caller may make this token. Nobody gives what they do not have. */
export function checkGrant(caller: Principal, wanted: WantedToken): Result<readonly Scope[]> {
  const keeper = checkTokenKeeper(caller);
  if (!keeper.ok) return keeper;
  if (wanted.scopes.length === 0) return refuse('INPUT_INVALID', 'A token needs at least one scope', { path: 'scopes' });
  const person = caller.kind === 'person' ? caller.id : (caller.personId ?? null);
  if (caller.kind !== 'local' && wanted.personId !== person) {
    return refuse('SCOPE_MISSING', 'A token always belongs to the person who makes it', { scope: 'admin' });
  }
  const ruling = wanted.scopes.filter((scope) => RULING.includes(scope));
  if (ruling.length > 0 && !isAdministrator(caller)) {
    return refuse('SCOPE_MISSING', `Only an administrator may give ${ruling.join(' and ')}`, { scope: 'admin', scopes: ruling });
  }
  const workspaces = wanted.workspaces ?? null;
  if (workspaces !== null && wanted.scopes.includes('admin')) {
    return refuse('INPUT_INVALID', 'A token that administers cannot be bound to workspaces', { path: 'workspaces' });
  }
  const missing = wanted.scopes.filter((scope) => !has(caller, scope, workspaces));
  if (missing.length > 0) {
    return refuse('SCOPE_MISSING', `You cannot give what you do not have: ${missing.join(', ')}`, { scope: missing[0], scopes: missing });
  }
  return { ok: true, value: [...new Set(wanted.scopes)] };
}

function has(caller: Principal, scope: Scope, workspaces: readonly WorkspaceId[] | null): boolean {
  return workspaces === null ? hasScopeSomewhere(caller, scope) : workspaces.every((id) => hasScope(caller, scope, id));
}

function refuse(
  code: ErrorCode,
  message: string,
  details: ErrorDetails,
): { ok: false; code: ErrorCode; message: string; details: ErrorDetails } {
  return { ok: false, code, message, details };
}
