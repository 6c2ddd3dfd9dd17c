import { Injectable, Optional } from '@nestjs/common';
import type { Principal } from '#contracts';
import { PrincipalDirectory } from '#platform';
import { personOf, type Voter } from './asks-rules.js';

/** Who stands behind a vote: a person, with the roles that they have now. */
@Injectable()
export class Voters {
  // A process without people, such as a test of one plane, has no directory; then only the caller itself is known.
  constructor(@Optional() private readonly directory?: PrincipalDirectory) {}

  async of(principal: Principal): Promise<Voter> {
    const id = personOf(principal);
    const found = principal.kind === 'token' && id !== principal.id ? await this.directory?.find(id) : undefined;
    const { roles, workspaceRoles } = found ?? principal;
    const isPerson = principal.kind === 'person' || principal.personId !== undefined;
    // A token may be called like anybody; only people are known by name.
    const name = principal.kind === 'person' ? principal.name : (found?.name ?? null);
    return { id, name, isPerson, roles, ...(workspaceRoles && { workspaceRoles }) };
  }
}
