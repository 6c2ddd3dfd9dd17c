import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { CommandBody, Decision, Mode, SandboxFacts, Stage, Workspace } from '#contracts';
import { PlatformConfig, unwrap } from '#platform';
import { Policy } from '#policy';
import { type Found, withExecutables } from './core/executable-findings.js';
import { withNetwork } from './core/network-grant.js';
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
};

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
    private readonly executor: Executor,
    private readonly platform: PlatformConfig,
    private readonly files: Files,
  ) {}

  /** A command string, taken apart by policy's parser. */
  parse(text: string, cwd: string, { root }: Workspace): readonly Stage[] {
    return unwrap(this.policy.parse(text, { cwd, root }));
  }

  async decide(question: Question, { root, toolPaths }: Workspace, found: readonly Found[]): Promise<Verdict> {
    const machine = await this.machine();
    const { hosts: wished, ...asked } = question;
    const decided = this.policy.decide({ ...asked, root, toolPaths, dataDir: this.platform.dataDir, sandbox: machine.enforcement });
    const packageSettings = this.#packageSettings(decided, question.cwd, root);
    const { decision, hosts } = withNetwork(decided, { mode: question.mode, wished, packageSettings, machine });
    return {
      decision: withExecutables(decision, question.stages, found),
      sandbox: sandboxFactsFor(machine, reachOf(decision, question.stages, hosts)),
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

  async machine(): Promise<SandboxFacts> {
    return (await this.executor.report()).facts;
  }
}
