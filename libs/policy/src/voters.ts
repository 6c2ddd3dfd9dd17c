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
    const person = principal.kind === 'token' && id !== principal.id ? await this.directory?.find(id) : undefined;
    return { id, name: person?.name ?? principal.name, roles: person?.roles ?? principal.roles };
  }
}
