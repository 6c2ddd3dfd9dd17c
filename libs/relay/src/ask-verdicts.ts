import { Injectable } from '@nestjs/common';
import type { Decision, Workspace } from '#contracts';
import { PlatformConfig } from '#platform';
import { Policy, Rulings } from '#policy';
import type { Drive } from './driving.ports.js';

export interface MinedCall {
  readonly command: string | null;
  readonly cwd: string;
  readonly workspace: Workspace;
  readonly drive: Drive | undefined;
}

/** What the one policy says of a command that a host asks about. It can ask for more or refuse; nothing is granted here. */
@Injectable()
export class AskVerdicts {
  constructor(
    private readonly policy: Policy,
    private readonly rulings: Rulings,
    private readonly platform: PlatformConfig,
  ) {}

  /** Null: there is no command, or it is not one that can be understood; then it counts as dangerous. */
  async on({ command, cwd, workspace, drive }: MinedCall): Promise<Decision | null> {
    if (command === null) return null;
    const { root, mode, toolPaths } = workspace;
    const parsed = this.policy.parse(command, { root, cwd });
    if (!parsed.ok) return null;
    // What is asked for is to run outside of the host's sandbox, and this server's own holds nothing there.
    const question = {
      stages: parsed.value,
      command,
      cwd,
      root,
      mode,
      env: {},
      toolPaths,
      dataDir: this.platform.dataDir,
      sandbox: 'none',
    } as const;
    const base = this.policy.decide(question);
    const requester = await this.rulings.again(
      {
        id: drive?.principalId ?? ('system' as never), // nobody drives it: no rule that names somebody fits
        kind: 'token',
        name: drive?.name ?? 'agent',
        roles: [],
        personId: drive?.personId ?? null,
      },
      workspace.id,
    );
    return this.rulings.rule(base, parsed.value, { workspace, requester, sessionId: null, mode, cwd });
  }
}
