import { Injectable } from '@nestjs/common';
import type { CommandBody, Decision, Mode, SandboxFacts, Stage, Workspace } from '#contracts';
import { PlatformConfig, unwrap } from '#platform';
import { Policy } from '#policy';
import { type Found, withExecutables } from './core/executable-findings.js';
import { reachOf } from './core/sandbox-wish.js';
import { sandboxFactsFor } from './executor/sandbox/facts.js';
import { Executor } from './ports.js';

/** What a command asks of policy. */
export type Question = Pick<CommandBody, 'stages' | 'command' | 'cwd' | 'env'> & { readonly mode: Mode };

export interface Verdict {
  readonly decision: Decision;
  readonly sandbox: SandboxFacts;
}

/** Puts a command before policy, together with what this machine has to contain it. */
@Injectable()
export class CommandDecisions {
  constructor(
    private readonly policy: Policy,
    private readonly executor: Executor,
    private readonly platform: PlatformConfig,
  ) {}

  /** A command string, taken apart by policy's parser. */
  parse(text: string, cwd: string, { root }: Workspace): readonly Stage[] {
    return unwrap(this.policy.parse(text, { cwd, root }));
  }

  async decide(question: Question, { root, toolPaths }: Workspace, found: readonly Found[]): Promise<Verdict> {
    const machine = await this.machine();
    const decision = this.policy.decide({ ...question, root, toolPaths, dataDir: this.platform.dataDir, sandbox: machine.enforcement });
    return {
      decision: withExecutables(decision, question.stages, found),
      sandbox: sandboxFactsFor(machine, reachOf(decision, question.stages)),
    };
  }

  async machine(): Promise<SandboxFacts> {
    return (await this.executor.report()).facts;
  }
}
