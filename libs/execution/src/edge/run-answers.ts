import { Injectable } from '@nestjs/common';
import type { Plan, Run, RunId } from '#contracts';
import type { ToolCall } from '#mcp';
import { AppError, Clock, unwrap } from '#platform';
import { Receipts } from '#receipts';
import { isFinal, move } from '../core/plan-status.js';
import { Runs } from '../runs.js';
import { type RunAnswer, toRunOutput } from './terminal.shapes.js';

const POLL_AFTER_MS = 1_000;
const PROGRESS_EVERY_MS = 1_000;

/** Turns the state of a plan or run into what a tool answers. */
@Injectable()
export class RunAnswers {
  constructor(
    private readonly runs: Runs,
    private readonly receipts: Receipts,
    private readonly clock: Clock,
  ) {}

  /** Waits for a run within the time of a call, telling how far it is, and answers with its receipt or with `running`. */
  async ofRun(plan: Plan, runId: RunId, ms: number, call: ToolCall): Promise<RunAnswer> {
    const stop = this.#tellProgress(plan, call);
    try {
      const run = await this.runs.waitEnded(runId, ms, call.signal);
      return run.receiptId ? await this.#finished(run) : running(plan, run, this.runs.ahead(run.id));
    } finally {
      stop();
    }
  }

  /** A plan that does not wait and does not run: its receipt, or why there is none. */
  async ofPlan(plan: Plan): Promise<RunAnswer> {
    if (plan.status === 'approved' && this.clock.now() < plan.expiresAt) {
      return {
        status: 'approved',
        session_id: plan.sessionId,
        plan_id: plan.id,
        expires_at: plan.expiresAt,
        message: 'The plan is approved. Call terminal_execute.',
      };
    }
    if (isFinal(plan.status) && plan.runId && plan.receiptId) {
      const file = await this.receipts.find(plan.receiptId);
      if (file) return toRunOutput(file);
    }
    unwrap(move(plan, 'running', this.clock.now()));
    throw new AppError('PLAN_STATUS_CONFLICT', `The plan is ${plan.status}`, { planId: plan.id, status: plan.status });
  }

  async #finished({ id, receiptId }: Run): Promise<RunAnswer> {
    const file = receiptId && (await this.receipts.find(receiptId));
    if (!file) throw new AppError('RECEIPT_NOT_FOUND', 'The receipt of this run is not there', { runId: id });
    return toRunOutput(file);
  }

  #tellProgress({ body }: Plan, { progress }: ToolCall): () => void {
    if (!progress) return () => undefined;
    const startedAt = this.clock.now();
    const total = Math.ceil(body.limits.timeoutMs / 1_000);
    const timer = setInterval(() => {
      const seconds = Math.round((this.clock.now() - startedAt) / 1_000);
      progress(seconds, total, `Running for ${seconds} s of at most ${total} s`);
    }, PROGRESS_EVERY_MS);
    return () => clearInterval(timer);
  }
}

function running(plan: Plan, { id, status }: Run, ahead: number | null): RunAnswer {
  const waiting = `The command waits for a free place${ahead === null ? '' : `, ${String(ahead)} before it`}. Call terminal_wait.`;
  return {
    status: 'running',
    session_id: plan.sessionId,
    plan_id: plan.id,
    run_id: id,
    poll_after_ms: POLL_AFTER_MS,
    message: status === 'queued' ? waiting : 'The command is still running. Call terminal_wait.',
  };
}
