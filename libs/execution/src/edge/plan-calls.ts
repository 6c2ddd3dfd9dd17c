import { Injectable } from '@nestjs/common';
import type { AskId, Plan, PlanId, RunId, SessionId } from '#contracts';
import type { NeedsInput, ToolCall } from '#mcp';
import { Asks } from '#policy';
import { Claims } from '../claims.js';
import { Plans } from '../plans.js';
import { Runs } from '../runs.js';
import { ApprovalLadder } from './approval-ladder.js';
import { RunAnswers } from './run-answers.js';
import type { RunAnswer } from './terminal.shapes.js';

/** A call is answered before clients give up on it. */
const CALL_MS = 50_000;
/** A run gets at least this much of the call that waited for its approval. */
const LEAST_RUN_MS = 5_000;

export interface PlanOfCall {
  readonly planId: PlanId;
  readonly sessionId?: SessionId | undefined;
}

/** What tools do with plans of any kind: carry one out with a person's approval on the way, and wait for one. */
@Injectable()
export class PlanCalls {
  constructor(
    private readonly plans: Plans,
    private readonly claims: Claims,
    private readonly runs: Runs,
    private readonly asks: Asks,
    private readonly ladder: ApprovalLadder,
    private readonly answers: RunAnswers,
  ) {}

  async execute({ planId, sessionId }: PlanOfCall, call: ToolCall): Promise<RunAnswer | NeedsInput> {
    const calledAt = performance.now();
    const plan = await this.plans.getToAct(call.principal, planId, sessionId);
    if (plan.status === 'awaiting_approval') {
      const rung = await this.ladder.climb(plan, call);
      if (rung) return rung;
    }
    if (call.signal.aborted) return this.ladder.pending(plan); // the caller has left: nothing is started for it
    const { started } = await this.claims.claim(call.principal, plan.id);
    return this.#follow(plan, started.run.id, Math.max(LEAST_RUN_MS, CALL_MS - (performance.now() - calledAt)), call);
  }

  async wait({ planId, sessionId }: PlanOfCall, ms = CALL_MS, call: ToolCall): Promise<RunAnswer> {
    const plan = await this.plans.get(call.principal, planId, sessionId);
    if (plan.status === 'awaiting_approval' && plan.askId) return this.#waitDecided(plan, plan.askId, ms, call);
    if (plan.status === 'running' && plan.runId) return this.answers.ofRun(plan, plan.runId, ms, call);
    return this.answers.ofPlan(plan);
  }

  /**
   * Closing the request ends the command that this very request has started, as long as the request has no answer. What was sent to a
   * connector cannot be called back, so it goes on.
   */
  async #follow(plan: Plan, runId: RunId, ms: number, call: ToolCall): Promise<RunAnswer> {
    if (plan.body.kind !== 'command') return this.answers.ofRun(plan, runId, ms, call);
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
