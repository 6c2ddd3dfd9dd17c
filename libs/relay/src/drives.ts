import { Injectable } from '@nestjs/common';
import type { HostId, Principal, Workspace } from '#contracts';
import { Clock, EventFeed, PrincipalDirectory } from '#platform';
import { RelayRepository } from './driving.ports.js';

/** Owner of who drives which session: its asks are asked in their name, and who drives does not decide where policy forbids it. */
@Injectable()
export class Drives {
  constructor(
    private readonly rows: RelayRepository,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly directory: PrincipalDirectory,
  ) {}

  async take(principal: Principal, hostId: HostId, hostSessionId: string, workspace: Workspace): Promise<void> {
    const old = await this.rows.drive(hostId, hostSessionId);
    if (old?.principalId === principal.id && old.workspaceId === workspace.id) return;
    const personId = principal.personId ?? (principal.kind === 'person' ? principal.id : null);
    const drive = {
      hostId,
      hostSessionId,
      workspaceId: workspace.id,
      principalId: principal.id,
      name: principal.name,
      personId,
      personName: personId === null ? null : await this.directory.nameOf(personId),
      at: this.clock.now(),
    };
    await this.feed.write((tx) => this.rows.setDrive(tx, drive));
  }
}
