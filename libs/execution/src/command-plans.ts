import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { CommandBody, Decision, Limits, Plan, Requester, Stage, Workspace } from '#contracts';
import { AppError, unwrap } from '#platform';
import { Remembered, Rulings } from '#policy';
import { familyOf, refusedEnv } from '#policy/core';
import { type Asker, CommandDecisions } from './command-decisions.js';
import { CommandPins } from './command-pins.js';
import { checkWords } from './core/command-words.js';
import { boundedLimits, tighterLimits } from './core/limits.js';
import { stricterMode } from './core/modes.js';
import { isInside } from './core/paths.js';
import { needsFullSandbox } from './core/sandbox-wish.js';
import { stricterNow } from './core/stricter.js';
import { ExecutionConfig } from './execution.config.js';
import type { PlanRequest, Prepared } from './plan-kinds.js';
import { Files } from './ports.js';

/** Works out what a command would be, and looks again before it runs. */
@Injectable()
export class CommandPlans {
  constructor(
    private readonly decisions: CommandDecisions,
    private readonly rulings: Rulings,
    private readonly remembered: Remembered,
    private readonly pins: CommandPins,
    private readonly files: Files,
    private readonly config: ExecutionConfig,
  ) {}

  async prepare(request: PlanRequest, workspace: Workspace, asker: Asker): Promise<Prepared> {
    const { command = null, env = {} } = request;
    const refused = refusedEnv(env);
    if (refused.length > 0) throw new AppError('ENV_NOT_ALLOWED', 'The plan may not set these variables', { names: refused });
    const cwd = this.#cwd(request.cwd, workspace);
    const wished = unwrap(boundedLimits(request.limits ?? {}, this.#defaults));
    const stages = this.#stages(request, cwd, workspace);
    if (request.tty === true) await this.#assertTerminal(stages);
    const question = { command, stages, cwd, mode: workspace.mode, env, ...(request.tty === true && { tty: true as const }) };
    const programs = this.pins.programs(question, workspace);
    const asked = { ...question, hosts: wished.network?.hosts ?? [] };
    const { decision, sandbox, hosts } = await this.decisions.decide(asked, workspace, asker, programs);
    const limits = unwrap(boundedLimits(request.limits ?? {}, this.#defaults, decision.limits));
    const body: CommandBody = { kind: 'command', ...question, limits: { ...limits, ...(hosts.length > 0 && { network: { hosts } }) } };
    return { body, decision, sandbox, pins: await this.pins.take(body, workspace, decision, programs) };
  }

  async recheck(plan: Plan, workspace: Workspace): Promise<readonly string[]> {
    const { body, pins, decision } = plan;
    const programs = this.pins.programs(body, workspace);
    const changes = [...(await this.pins.changes(pins, programs, workspace))];
    if (refusedEnv(body.env).length > 0) changes.push('env');
    if (plan.askId && !(await this.remembered.holds(plan.askId))) changes.push('remembered_approval');
    if (!boundedLimits(body.limits, this.#defaults).ok) changes.push('limits');
    if (changes.length > 0) return changes;
    const missing = body.stages.flatMap(({ argv: [word = ''] }, index) => (pins.executables[index] ? [] : [word]));
    if (missing.length > 0) throw new AppError('EXECUTABLE_NOT_FOUND', 'A program of this plan is not installed', { programs: missing });
    const asker = { requester: await this.rulings.again(plan.requester ?? asStored(plan), workspace.id), sessionId: plan.sessionId };
    const mode = stricterMode(body.mode, workspace.mode);
    const now = await this.decisions.decide({ ...body, mode, hosts: hostsOf(body) }, workspace, asker, programs);
    const stricter = [...stricterNow(decision, now.decision), ...tighterLimits(body.limits, now.decision.limits)];
    if (!(await this.#isStillRemembered(plan, now.decision))) stricter.push('remembered_approval');
    if (stricter.length === 0) await this.#requireSandbox(now.decision);
    const causes = [
      ...(mode === body.mode ? [] : ['mode']),
      ...(now.decision.policyVersion === decision.policyVersion ? [] : [`policy:${now.decision.policyVersion}`]),
    ];
    return stricter.length > 0 ? [...causes, ...stricter] : [];
  }

  /** What was asked of a person before is not asked again, as long as policy would have it so now. */
  async #isStillRemembered(plan: Plan, now: Decision): Promise<boolean> {
    if (plan.askId === null || now.outcome !== 'ask') return true;
    return this.remembered.stands(plan.askId, familyOf({ ...plan, decision: now }));
  }

  async #assertTerminal([first, ...rest]: readonly Stage[]): Promise<void> {
    if (rest.length > 0 || first?.redirects.length !== 0)
      throw new AppError('INPUT_INVALID', 'A terminal is for one program without redirections', { paths: ['tty'] });
    if (await this.decisions.hasTerminals()) return;
    throw new AppError(
      'TERMINAL_UNAVAILABLE',
      'This server has no terminals: they need bubblewrap and the optional package @lydell/node-pty',
    );
  }

  get #defaults(): Limits {
    return { timeoutMs: this.config.commandTimeoutMs, maxOutputBytes: this.config.maxOutputBytes };
  }

  async #requireSandbox(decision: Decision): Promise<void> {
    if (this.config.sandbox !== 'required' && !needsFullSandbox(decision)) return;
    const { enforcement, kind } = await this.decisions.machine();
    if (enforcement !== 'full')
      throw new AppError('SANDBOX_UNAVAILABLE', 'This command runs only in a full sandbox, and there is none', { kind });
  }

  #cwd(wish: string | undefined, { root }: Workspace): string {
    const cwd = this.files.realFolder(resolve(root, wish ?? '.'));
    if (cwd === undefined) throw new AppError('CWD_INVALID', 'The working folder does not exist');
    if (!isInside(cwd, root)) throw new AppError('CWD_INVALID', 'The working folder must lie in the workspace');
    return cwd;
  }

  #stages({ command, argv }: PlanRequest, cwd: string, workspace: Workspace): readonly Stage[] {
    if ((command === undefined) === (argv === undefined))
      throw new AppError('INPUT_INVALID', 'Send either command or argv', { paths: ['command', 'argv'] });
    if (command !== undefined) {
      unwrap(checkWords([{ argv: [command] }]));
      const stages = this.decisions.parse(command, cwd, workspace);
      unwrap(checkWords(stages));
      return stages;
    }
    const stages: readonly Stage[] = [{ join: 'first', argv: argv ?? [], redirects: [] }];
    unwrap(checkWords(stages));
    return stages;
  }
}

function hostsOf({ limits }: CommandBody): readonly string[] {
  return limits.network?.hosts ?? [];
}

/** Plans of before requesters were stored: the least that is known. */
function asStored({ owner, ownerName }: Plan): Requester {
  return { id: owner, kind: 'token', name: ownerName, roles: [], personId: null };
}
