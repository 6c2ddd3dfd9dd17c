import { Injectable } from '@nestjs/common';
import type { PlanId, SessionId } from '#contracts';
import { McpTool, McpTools, type NeedsInput, type ToolCall } from '#mcp';
import type * as z from 'zod';
import { PlanCalls } from './plan-calls.js';
import { PlanRef, type RunAnswer, RunOutput, toReceiptLinks, WaitInput } from './terminal.shapes.js';

/** MCP door to carrying a plan out and waiting for it. */
@Injectable()
@McpTools()
export class ExecuteTools {
  constructor(private readonly calls: PlanCalls) {}

  @McpTool({
    name: 'terminal_execute',
    title: 'Run an approved plan',
    description:
      'Runs an approved plan exactly once and answers with its signed receipt; after 50 seconds with status running. A plan that waits ' +
      'for a person is put before one; if nobody answers in time the result says pending_approval.',
    effect: 'destructive',
    scope: 'terminal:execute',
    perWorkspace: true,
    input: PlanRef,
    output: RunOutput,
    links: toReceiptLinks,
    openWorld: true,
  })
  execute({ session_id, plan_id }: z.output<typeof PlanRef>, call: ToolCall): Promise<RunAnswer | NeedsInput> {
    return this.calls.execute({ planId: plan_id as PlanId, sessionId: session_id as SessionId }, call);
  }

  @McpTool({
    name: 'terminal_wait',
    title: 'Wait for a plan',
    description:
      'Waits, for at most 50 seconds, until a person has decided a plan or until its run has ended. Starts nothing. Answers ' +
      'pending_approval, approved, running, or the receipt.',
    effect: 'read',
    scope: 'terminal:plan',
    perWorkspace: true,
    input: WaitInput,
    output: RunOutput,
    links: toReceiptLinks,
  })
  wait({ session_id, plan_id, wait_ms }: z.output<typeof WaitInput>, call: ToolCall): Promise<RunAnswer> {
    return this.calls.wait({ planId: plan_id as PlanId, sessionId: session_id as SessionId }, wait_ms, call);
  }
}
