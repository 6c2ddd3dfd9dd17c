import type { Principal, PrincipalId } from '#contracts';

/** Who a principal is now, and under which name people know it. Filled by auth. */
export abstract class PrincipalDirectory {
  /** Undefined when it was revoked, disabled or never existed. */
  abstract find(id: PrincipalId): Promise<Principal | undefined>;
  abstract nameOf(id: PrincipalId): Promise<string>;

  /** The same caller with the rights it has now. Auth narrows it where one principal can have several sign-ins. */
  recheck(principal: Principal): Promise<Principal | undefined> {
    return this.find(principal.id);
  }
}
