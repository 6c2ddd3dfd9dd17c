import { Injectable } from '@nestjs/common';
import { ROLES, type Role } from '#contracts';
import { Database, type Tx } from '#platform';
import { SignInRuleRepository } from '../ports.js';

const NAME = 'auth.second_factor_roles';

/** The only writer of what a team asks of its sign-ins, on both engines. */
@Injectable()
export class KyselySignInRuleRepository extends SignInRuleRepository {
  constructor(private readonly db: Database) {
    super();
  }

  override async secondFactorRoles(tx?: Tx): Promise<readonly Role[]> {
    const row = await (tx ?? this.db).selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst();
    const roles = row ? (JSON.parse(row.value) as string[]) : [];
    return ROLES.filter((role) => roles.includes(role));
  }

  override async setSecondFactorRoles(tx: Tx, roles: readonly Role[]): Promise<void> {
    const value = JSON.stringify(roles);
    await tx
      .insertInto('settings')
      .values({ name: NAME, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }
}
