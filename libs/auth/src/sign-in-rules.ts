import { Injectable } from '@nestjs/common';
import { ROLES, type Principal, type Role } from '#contracts';
import { AppError, unwrap } from '#platform';
import { AdminChanges } from './admin-changes.js';
import { checkAdministrator } from './core/grants.js';
import { moved } from './people.js';
import { PersonRepository, SignInRuleRepository } from './ports.js';

/** Owner of what a team asks of its sign-ins: which roles need a second factor. */
@Injectable()
export class SignInRules {
  constructor(
    private readonly rules: SignInRuleRepository,
    private readonly people: PersonRepository,
    private readonly admin: AdminChanges,
  ) {}

  secondFactorRoles(): Promise<readonly Role[]> {
    return this.rules.secondFactorRoles();
  }

  /** Counts at once, on open sessions too: who has such a role and no factor can set one up and nothing else. */
  async requireSecondFactor(by: Principal, roles: readonly Role[]): Promise<readonly Role[]> {
    unwrap(checkAdministrator(by));
    const after = ROLES.filter((role) => roles.includes(role));
    if (by.kind === 'person' && after.length > 0 && (await this.people.factorsOf(by.id)).length === 0) {
      throw new AppError('SECOND_FACTOR_MISSING', 'Set up a second factor yourself before you ask it of others', {});
    }
    await this.admin.make(by, async (tx) => {
      const before = await this.rules.secondFactorRoles(tx);
      if (before.join() === after.join()) return null;
      await this.rules.setSecondFactorRoles(tx, after);
      const did = after.length === 0 ? 'asks no role for a second factor' : `asks a second factor of ${after.join(', ')}`;
      return {
        action: 'sign_in_rules.changed',
        did,
        details: { before: { roles: before }, after: { roles: after } },
        changes: [moved(by.id)],
      };
    });
    return after;
  }
}
