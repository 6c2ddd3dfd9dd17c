import type { Principal, Result } from '#contracts';

/**
 * Who changes policy: a person who is admin, an admin token with a person behind it, and the command line on the
 * machine that holds the data folder. Never through a door of agents, whatever the scopes say.
 */
export function checkMayChange(principal: Principal): Result<null> {
  const { kind, scopes, personId, channel } = principal;
  const isAgentDoor = channel === 'mcp' || channel === 'stdio';
  const isAnswerable = kind === 'person' || (kind === 'token' && personId !== undefined) || (kind === 'local' && channel === 'cli');
  if (scopes.includes('admin') && isAnswerable && !isAgentDoor) return { ok: true, value: null };
  return refuse('Only an administrator may change policy');
}

/** The team's rules are for people, and for programs that administer. An agent learns by explanations what concerns it. */
export function checkMayRead({ kind, scopes }: Principal): Result<null> {
  if (kind === 'person' || scopes.includes('admin')) return { ok: true, value: null };
  return refuse('Policy documents are for people and administrators');
}

function refuse(message: string): Result<null> {
  return { ok: false, code: 'SCOPE_MISSING', message, details: { scope: 'admin' } };
}
