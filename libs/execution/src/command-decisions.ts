import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { CommandBody, Decision, Mode, Requester, SandboxFacts, SessionId, Stage, Workspace } from '#contracts';
import { PlatformConfig, unwrap } from '#platform';
import { Policy, Rulings } from '#policy';
import { type Found, withExecutables } from './core/executable-findings.js';
import { withNetwork } from './core/network-grant.js';
import { withTerminal } from './core/terminal-grant.js';
import { reachOf } from './core/sandbox-wish.js';
import { sandboxFactsFor } from './executor/sandbox/facts.js';
import { Executor, Files } from './ports.js';

/** Longer package settings are not a person's. */
const MAX_SETTINGS_BYTES = 65_536;

/** What a command asks of policy. */
export type Question = Pick<CommandBody, 'stages' | 'command' | 'cwd' | 'env'> & {
  readonly mode: Mode;
  /** Hosts that the plan asks for. */
  readonly hosts: readonly string[];
  readonly tty?: true;
};

/** Who asks, and in which session; a look at a file belongs to none. */
export interface Asker {
  readonly requester: Requester;
  readonly sessionId: SessionId | null;
}

export interface Verdict {
  readonly decision: Decision;
  readonly sandbox: SandboxFacts;
  /** All that the run may reach. */
  readonly hosts: readonly string[];
}

/** Puts a command before policy, together with what this machine has to contain it. */
@Injectable()
export class CommandDecisions {
  constructor(
    private readonly policy: Policy,
    private readonly rulings: Rulings,
    private readonly executor: Executor,
    private readonly platform: PlatformConfig,
    private readonly files: Files,
  ) {}

  /** A command string, taken apart by policy's parser. */
  parse(text: string, cwd: string, { root }: Workspace): readonly Stage[] {
    return unwrap(this.policy.parse(text, { cwd, root }));
  }

  async decide(question: Question, workspace: Workspace, asker: Asker, found: readonly Found[]): Promise<Verdict> {
    const machine = await this.machine();
    const { root, toolPaths } = workspace;
    const { hosts: wished, tty, ...asked } = question;
    const { stages, mode, cwd } = question;
    const decided = this.policy.decide({ ...asked, root, toolPaths, dataDir: this.platform.dataDir, sandbox: machine.enforcement });
    const packageSettings = this.#packageSettings(decided, cwd, root);
    const { decision: reached, hosts } = withNetwork(decided, { mode, wished, packageSettings, machine });
    const connected = tty ? withTerminal(reached, mode) : reached;
    const decision = await this.rulings.rule(withExecutables(connected, stages, found), stages, { workspace, ...asker, mode, cwd });
    return {
      decision,
      sandbox: sandboxFactsFor(machine, reachOf(decision, stages, hosts)),
      hosts,
    };
  }

  #packageSettings({ stages }: Decision, cwd: string, root: string): readonly string[] {
    if (!stages.some(({ effects }) => effects.includes('network'))) return [];
    return [...new Set([cwd, root])].flatMap((folder) => {
      const head = this.files.head(join(folder, '.npmrc'), MAX_SETTINGS_BYTES);
      return head ? [Buffer.from(head.bytes).toString('utf8')] : [];
    });
  }

  /** Whether runs may have a terminal here. */
  async hasTerminals(): Promise<boolean> {
    return (await this.executor.report()).terminal === true;
  }

  async machine(): Promise<SandboxFacts> {
    return (await this.executor.report()).facts;
  }
}
