import { homedir } from 'node:os';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Plan, RunId, Workspace } from '#contracts';
import { PlatformConfig } from '#platform';
import { hardenGit } from '#policy/core';
import type { Asker } from './command-decisions.js';
import { scriptsOf } from './command-pins.js';
import { CommandPlans } from './command-plans.js';
import { credentialFolders } from './core/paths.js';
import { runEnv } from './core/run-env.js';
import { needsFullSandbox, reachOf } from './core/sandbox-wish.js';
import { ExecutionConfig } from './execution.config.js';
import type { RunSpec, StageSpec, TerminalSize } from './executor/protocol.js';
import { type PlanKind, PlanKinds, type PlanRequest, type Prepared } from './plan-kinds.js';
import { Executor, type RunSignal } from './ports.js';

/** Until a person's window tells its own. */
const FIRST_SIZE: TerminalSize = { cols: 100, rows: 30 };

/** The plan kind `command`: an argv list, run by the executor. */
@Injectable()
export class CommandKind implements PlanKind, OnModuleInit {
  readonly kind = 'command';

  constructor(
    private readonly kinds: PlanKinds,
    private readonly plans: CommandPlans,
    private readonly executor: Executor,
    private readonly config: ExecutionConfig,
    private readonly platform: PlatformConfig,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  prepare(request: PlanRequest, workspace: Workspace, asker: Asker): Promise<Prepared> {
    return this.plans.prepare(request, workspace, asker);
  }

  recheck(plan: Plan, workspace: Workspace): Promise<readonly string[]> {
    return this.plans.recheck(plan, workspace);
  }

  dispatch(plan: Plan, workspace: Workspace, runId: RunId, signal: (signal: RunSignal) => void): void {
    this.executor.start(this.#spec(plan, workspace, runId), signal);
  }

  pause(runId: RunId): void {
    this.executor.pause(runId);
  }

  resume(runId: RunId): void {
    this.executor.resume(runId);
  }

  cancel(runId: RunId): void {
    this.executor.cancel(runId);
  }

  input(runId: RunId, text: string): void {
    this.executor.input(runId, text);
  }

  resize(runId: RunId, size: TerminalSize): void {
    this.executor.resize(runId, size);
  }

  #spec({ body, decision, pins }: Plan, workspace: Workspace, runId: RunId): RunSpec {
    const { timeoutMs, maxOutputBytes, network, ...bounds } = body.limits;
    return {
      runId,
      stages: body.stages.map(({ join, redirects, stderrToStdout = false, argv }, index): StageSpec => {
        const pin = pins.executables[index] ?? null;
        const scripts = scriptsOf(decision.stages[index]).flatMap((path) => pins.files.find((file) => file.path === path) ?? []);
        return { join, redirects, stderrToStdout, executable: pin?.path ?? '', argv: hardenGit(argv), pin, scripts };
      }),
      cwd: body.cwd,
      cwdPin: pins.cwd,
      env: { ...runEnv(workspace, body.env), ...(body.tty && { TERM: 'xterm-256color' }) },
      timeoutMs,
      maxOutputBytes,
      bounds,
      ...(body.tty && { terminal: FIRST_SIZE }),
      sandbox: {
        workspaceRoot: workspace.root,
        rootPin: pins.root,
        ...reachOf(decision, body.stages, network?.hosts ?? []),
        hidden: [this.platform.dataDir, ...credentialFolders(homedir())],
      },
      sandboxRequired: this.config.sandbox === 'required' || needsFullSandbox(decision),
    };
  }
}
