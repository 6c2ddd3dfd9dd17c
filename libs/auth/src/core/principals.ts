import type { PersonInfo, Principal, TokenInfo } from '#contracts';
import { scopesOf, scopesOfToken } from './roles.js';

/** A caller before it is known through which door it came. */
export type Doorless = Omit<Principal, 'channel'>;

type Person = Pick<PersonInfo, 'id' | 'name' | 'roles' | 'disabledAt'>;

/** The person as a caller; undefined when they are disabled. */
export function toPersonPrincipal({ id, name, roles, disabledAt }: Person, expiresAt: number): Doorless | undefined {
  if (disabledAt !== null) return undefined;
  return { id, kind: 'person', name, roles, scopes: scopesOf(roles), expiresAt };
}

/** The token as a caller; undefined when it, or the person behind it, is out of force. Expiry is for the caller to judge. */
export function toTokenPrincipal(token: TokenInfo, person: Person | null): Doorless | undefined {
  if (token.revokedAt !== null || (person !== null && person.disabledAt !== null)) return undefined;
  const { id, name, personId } = token;
  return {
    id,
    kind: 'token',
    name,
    roles: [],
    scopes: scopesOfToken(token.scopes, person?.roles ?? null),
    ...(personId === null ? {} : { personId }),
    expiresAt: token.expiresAt ?? Number.MAX_SAFE_INTEGER,
  };
}
