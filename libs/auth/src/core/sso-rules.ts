import { ROLES, type Role } from '#contracts';

/** What a provider says of a person, once its answer is known to be genuine. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  readonly all: Readonly<Record<string, unknown>>;
}

/** Undefined: an entry is no `value=role`. */
export function readRoleMap(entries: readonly string[]): ReadonlyMap<string, Role> | undefined {
  const pairs = entries.map((entry) => {
    const at = entry.lastIndexOf('=');
    return [entry.slice(0, at), ROLES.find((role) => role === entry.slice(at + 1))] as const;
  });
  const map = new Map<string, Role>();
  for (const [value, role] of pairs) {
    if (value === '' || role === undefined) return undefined;
    map.set(value, role);
  }
  return map;
}

/** The roles of what a claim says, in the order of the contract. */
export function rolesOf(claim: unknown, map: ReadonlyMap<string, Role>): readonly Role[] {
  const values = typeof claim === 'string' ? claim.split(/[\s,]+/) : Array.isArray(claim) ? claim : [];
  const held = new Set(values.flatMap((value) => (typeof value === 'string' ? (map.get(value) ?? []) : [])));
  return ROLES.filter((role) => held.has(role));
}

/** Without a list every person of the provider may come; with one, those whose address the provider has checked. */
export function isOfDomain({ email, isEmailVerified }: Pick<Claims, 'email' | 'isEmailVerified'>, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  const parts = (email ?? '').toLowerCase().split('@');
  return isEmailVerified && parts.length === 2 && domains.includes(parts[1] ?? '');
}
