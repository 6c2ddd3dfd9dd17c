import type { Principal, PrincipalId } from '#contracts';

/** Who a principal is now, and under which name people know it. Filled by auth. */
export abstract class PrincipalDirectory {
  /** Undefined when it was revoked, disabled or never existed. */
  abstract find(id: PrincipalId): Promise<Principal | undefined>;
  abstract nameOf(id: PrincipalId): Promise<string>;

  /**
   * The same caller with the rights it has now, for what outlives one request. A sign-in does not live longer because its
   * principal still exists; auth knows the sign-in itself and says more.
   */
  async recheck(principal: Principal): Promise<Principal | undefined> {
    const found = await this.find(principal.id);
    return found && { ...found, channel: principal.channel, expiresAt: Math.min(found.expiresAt, principal.expiresAt) };
  }

  /** Callers that came with the same credential have the same: their streams share one look-up. */
  signInOf(principal: Principal): string {
    return `${principal.id} ${String(principal.expiresAt)}`;
  }
}
