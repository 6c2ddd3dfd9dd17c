import { Injectable } from '@nestjs/common';
import type { Plan, PlanId, Principal, Run, RunId, SessionId } from '#contracts';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import { AppError } from '#platform';
import type * as z from 'zod';
import { Plans } from '../plans.js';
import { Runs } from '../runs.js';
import { MovedOutput, OutputInput, OutputOutput, PlanRef } from './terminal.shapes.js';

type Ref = z.output<typeof PlanRef>;
type Moved = z.input<typeof MovedOutput>;

/** MCP door to a run that is under way: its output, pausing, going on, ending. */
@Injectable()
@McpTools()
export class RunTools {
  constructor(
    private readonly plans: Plans,
    private readonly runs: Runs,
  ) {}

  @McpTool({
    name: 'terminal_output',
    title: 'Read output',
    description: 'Output of a run so far, redacted, in chunks. Send `next` as `after` to go on where you stopped.',
    effect: 'read',
    scope: 'terminal:plan',
    perWorkspace: true,
    input: OutputInput,
    output: OutputOutput,
  })
  async output(input: z.output<typeof OutputInput>, { principal }: ToolCall): Promise<z.input<typeof OutputOutput>> {
    const { after = 0, limit = 200 } = input;
    const { plan, runId } = await this.#find(principal, input);
    const { items, ended } = runId
      ? await this.runs.output(principal, runId, after, limit)
      : { items: [], ended: plan.status !== 'approved' };
    return {
      session_id: plan.sessionId,
      plan_id: plan.id,
      run_id: runId,
      chunks: [...items],
      next: items.at(-1)?.seq ?? after,
      ended: ended && plan.status !== 'awaiting_approval',
    };
  }

  @McpTool({
    name: 'terminal_pause',
    title: 'Pause a run',
    description: 'Stops the processes of a run where they are. The clock of its time limit stands still meanwhile.',
    effect: 'write',
    scope: 'terminal:execute',
    perWorkspace: true,
    input: PlanRef,
    output: MovedOutput,
    idempotent: true,
  })
  pause(ref: Ref, { principal }: ToolCall): Promise<Moved> {
    return this.#move(principal, ref, (runId) => this.runs.pause(principal, runId));
  }

  @McpTool({
    name: 'terminal_resume',
    title: 'Resume a run',
    description: 'Lets a paused run go on.',
    effect: 'write',
    scope: 'terminal:execute',
    perWorkspace: true,
    input: PlanRef,
    output: MovedOutput,
    idempotent: true,
  })
  resume(ref: Ref, { principal }: ToolCall): Promise<Moved> {
    return this.#move(principal, ref, (runId) => this.runs.resume(principal, runId));
  }

  @McpTool({
    name: 'terminal_cancel',
    title: 'Cancel a plan or end its run',
    description: 'Takes back a plan that has not started, or ends its run with everything it started. A run that is ended has a receipt.',
    effect: 'destructive',
    scope: 'terminal:execute',
    perWorkspace: true,
    input: PlanRef,
    output: MovedOutput,
  })
  async cancel(ref: Ref, { principal }: ToolCall): Promise<Moved> {
    const { plan, runId } = await this.#find(principal, ref);
    if (!runId) {
      const { status } = await this.plans.cancel(principal, plan.id);
      return toMoved(plan, null, status);
    }
    const run = await this.runs.cancel(principal, runId);
    return toMoved(plan, run.id, run.outcome ?? run.status);
  }

  async #move(principal: Principal, ref: Ref, verb: (runId: RunId) => Promise<Run>): Promise<Moved> {
    const { plan, runId } = await this.#find(principal, ref);
    if (!runId) throw new AppError('RUN_NOT_FOUND', 'This plan has no run', { planId: plan.id, status: plan.status });
    const run = await verb(runId);
    return toMoved(plan, run.id, run.outcome ?? run.status);
  }

  async #find(principal: Principal, { session_id, plan_id }: Ref): Promise<{ readonly plan: Plan; readonly runId: RunId | null }> {
    const plan = await this.plans.get(principal, plan_id as PlanId, session_id as SessionId);
    return { plan, runId: plan.runId };
  }
}

function toMoved(plan: Plan, runId: RunId | null, status: Moved['status']): Moved {
  return { session_id: plan.sessionId, plan_id: plan.id, run_id: runId, status };
}
