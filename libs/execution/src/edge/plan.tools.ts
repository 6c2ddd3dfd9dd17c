import { Injectable } from '@nestjs/common';
import type { PlanId, SessionId } from '#contracts';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import { AppError } from '#platform';
import { Asks } from '#policy';
import type * as z from 'zod';
import { Planner } from '../planner.js';
import { Plans } from '../plans.js';
import { ConsoleLinks } from './console-links.js';
import { ApproveInput, fromLimitsInput, PlanInput, PlanOutput, toPlanLinks, toPlanOutput } from './terminal.shapes.js';

/** MCP door to plans: making one, and deciding one for callers who may. */
@Injectable()
@McpTools()
export class PlanTools {
  constructor(
    private readonly planner: Planner,
    private readonly plans: Plans,
    private readonly asks: Asks,
    private readonly links: ConsoleLinks,
  ) {}

  @McpTool({
    name: 'terminal_plan',
    title: 'Plan a command',
    description:
      'Describes a command before it runs. Answers what policy says to it, whether a person must approve it, and the digest that an ' +
      'approval names. Nothing is carried out. Repeating an identical plan while it waits gives the same plan.',
    effect: 'write',
    scope: 'terminal:plan',
    perWorkspace: true,
    input: PlanInput,
    output: PlanOutput,
    links: toPlanLinks,
    idempotent: true,
  })
  async plan(input: z.output<typeof PlanInput>, { principal }: ToolCall): Promise<z.input<typeof PlanOutput>> {
    const { session_id, workspace, command, argv, cwd, env, limits, tty } = input;
    const plan = await this.planner.plan({
      principal,
      sessionId: session_id as SessionId | undefined,
      workspace,
      request: {
        kind: 'command',
        command,
        argv,
        cwd,
        env,
        limits: limits && fromLimitsInput(limits),
        tty,
      },
    });
    return toPlanOutput(plan, this.links.toAsk(plan.askId));
  }

  @McpTool({
    name: 'terminal_approve',
    title: 'Decide a waiting plan',
    description:
      'Approves or denies a plan that waits for a person, for callers that may decide. The digest must be that of the plan as you have ' +
      'seen it. Whoever requested a plan cannot approve it with an agent token.',
    effect: 'write',
    scope: 'approvals:decide',
    perWorkspace: true,
    input: ApproveInput,
    output: PlanOutput,
    links: toPlanLinks,
  })
  async approve(input: z.output<typeof ApproveInput>, { principal }: ToolCall): Promise<z.input<typeof PlanOutput>> {
    const { session_id, plan_id, digest, answer = 'approve', reason } = input;
    const plan = await this.plans.get(principal, plan_id as PlanId, session_id as SessionId);
    if (plan.askId === null) {
      throw new AppError('PLAN_STATUS_CONFLICT', 'This plan does not wait for a person', { planId: plan.id, status: plan.status });
    }
    await this.asks.vote({ askId: plan.askId, principal, answer, digest, reason: reason ?? null });
    return toPlanOutput(await this.plans.get(principal, plan.id), this.links.toAsk(plan.askId));
  }
}
