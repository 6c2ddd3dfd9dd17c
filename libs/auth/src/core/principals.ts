import type { PersonInfo, Principal, ProofMethod, Role, TokenInfo } from '#contracts';
import { reachOfPerson, reachOfToken } from './roles.js';

/** A caller before it is known through which door it came. */
export type Doorless = Omit<Principal, 'channel'>;

type Person = Pick<PersonInfo, 'id' | 'name' | 'roles' | 'workspaceRoles' | 'disabledAt'>;

/** The person as a caller; undefined when they are disabled. */
export function toPersonPrincipal(person: Person, expiresAt: number): Doorless | undefined {
  const { id, name, roles, workspaceRoles, disabledAt } = person;
  if (disabledAt !== null) return undefined;
  const besides = Object.keys(workspaceRoles).length > 0 && { workspaceRoles };
  return { id, kind: 'person', name, roles, ...besides, ...reachOfPerson(person), expiresAt };
}

/** The token as a caller; undefined when it, or the person behind it, is out of force. Expiry is for the caller to judge. */
export function toTokenPrincipal(token: TokenInfo, person: Person | null): Doorless | undefined {
  if (token.revokedAt !== null || (person !== null && person.disabledAt !== null)) return undefined;
  const { id, name, personId, toolFamilies } = token;
  return {
    id,
    kind: 'token',
    name,
    roles: [],
    ...reachOfToken(token, person),
    ...(toolFamilies === null ? {} : { toolFamilies }),
    ...(personId === null ? {} : { personId }),
    expiresAt: token.expiresAt ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Second factors that a person can have. */
export const FACTORS = ['totp', 'passkey'] as const satisfies readonly ProofMethod[];
export type Factor = (typeof FACTORS)[number];

/** What proves that it is this person. Who has a second factor is not proved by a password alone. */
export function methodsOf(factors: readonly Factor[]): readonly ProofMethod[] {
  return factors.length === 0 ? ['password'] : [...factors, 'recovery'];
}

/** Whether somebody with these roles has to have a second factor and has none. */
export function mustEnrol(held: Pick<PersonInfo, 'roles' | 'workspaceRoles'>, factors: readonly Factor[], asked: readonly Role[]): boolean {
  if (factors.length > 0) return false;
  return [...held.roles, ...Object.values(held.workspaceRoles).flat()].some((role) => asked.includes(role));
}
