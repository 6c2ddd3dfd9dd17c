import { Injectable } from '@nestjs/common';
import type { AskId, Plan, PlanId, RunId, SessionId } from '#contracts';
import { McpTool, McpTools, type NeedsInput, type ToolCall } from '#mcp';
import { Asks } from '#policy';
import type * as z from 'zod';
import { Claims } from '../claims.js';
import { Plans } from '../plans.js';
import { Runs } from '../runs.js';
import { ApprovalLadder } from './approval-ladder.js';
import { RunAnswers } from './run-answers.js';
import { PlanRef, type RunAnswer, RunOutput, toReceiptLinks, WaitInput } from './terminal.shapes.js';

/** A call is answered before clients give up on it. */
const CALL_MS = 50_000;
/** A run gets at least this much of the call that waited for its approval. */
const LEAST_RUN_MS = 5_000;

/** MCP door to carrying a plan out and waiting for it. */
@Injectable()
@McpTools()
export class ExecuteTools {
  constructor(
    private readonly plans: Plans,
    private readonly claims: Claims,
    private readonly runs: Runs,
    private readonly asks: Asks,
    private readonly ladder: ApprovalLadder,
    private readonly answers: RunAnswers,
  ) {}

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
  async execute({ session_id, plan_id }: z.output<typeof PlanRef>, call: ToolCall): Promise<RunAnswer | NeedsInput> {
    const calledAt = performance.now();
    const plan = await this.plans.getToAct(call.principal, plan_id as PlanId, session_id as SessionId);
    if (plan.status === 'awaiting_approval') {
      const rung = await this.ladder.climb(plan, call);
      if (rung) return rung;
    }
    if (call.signal.aborted) return this.ladder.pending(plan); // the caller has left: nothing is started for it
    const { started } = await this.claims.claim(call.principal, plan.id);
    return this.#follow(plan, started.run.id, Math.max(LEAST_RUN_MS, CALL_MS - (performance.now() - calledAt)), call);
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
  async wait({ session_id, plan_id, wait_ms }: z.output<typeof WaitInput>, call: ToolCall): Promise<RunAnswer> {
    const ms = wait_ms ?? CALL_MS;
    const plan = await this.plans.get(call.principal, plan_id as PlanId, session_id as SessionId);
    if (plan.status === 'awaiting_approval' && plan.askId) return this.#waitDecided(plan, plan.askId, ms, call);
    if (plan.status === 'running' && plan.runId) return this.answers.ofRun(plan, plan.runId, ms, call);
    return this.answers.ofPlan(plan);
  }

  /** Closing the request ends the run that this very request has started, as long as the request has no answer. */
  async #follow(plan: Plan, runId: RunId, ms: number, call: ToolCall): Promise<RunAnswer> {
    const left = (): void => void this.runs.stop(runId, 'request_closed');
    if (call.signal.aborted) left();
    call.signal.addEventListener('abort', left, { once: true });
    try {
      return await this.answers.ofRun(plan, runId, ms, call);
    } finally {
      call.signal.removeEventListener('abort', left);
    }
  }

  async #waitDecided(plan: Plan, askId: AskId, ms: number, { principal, signal }: ToolCall): Promise<RunAnswer> {
    const { status } = await this.asks.waitClosed(askId, ms, signal);
    return status === 'open' ? this.ladder.pending(plan) : this.answers.ofPlan(await this.plans.get(principal, plan.id));
  }
}
