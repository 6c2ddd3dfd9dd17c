import { Injectable, Logger } from '@nestjs/common';
import type { OutputChunk, Plan, PrincipalId, ReceiptId, Run } from '#contracts';
import { EventFeed } from '#platform';
import { Receipts } from '#receipts';
import type { Ending } from './core/run-receipt.js';
import { RunRepository } from './repositories.js';
import { RunEvidence } from './run-evidence.js';

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;

/** A run that is over, and all that is to be written of it. */
export interface EndedRun {
  readonly plan: Plan;
  readonly run: Run;
  readonly startedBy: PrincipalId;
  readonly ending: Ending;
  /** Output that is not stored yet. */
  readonly tail: readonly OutputChunk[];
}

/** Writes the end of a run: its row, its plan, its output, its receipt and their events commit together or not at all. */
@Injectable()
export class RunEndings {
  readonly #log = new Logger(RunEndings.name);

  constructor(
    private readonly runs: RunRepository,
    private readonly receipts: Receipts,
    private readonly evidence: RunEvidence,
    private readonly feed: EventFeed,
  ) {}

  /** Tries until it is durable: nobody hears of an end that could be lost. Gives up only when told to stop. */
  async write(ended: EndedRun, signal: AbortSignal): Promise<Run> {
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      try {
        return await this.#write(ended);
      } catch (error) {
        if (signal.aborted) throw error;
        this.#log.error(`The end of run ${ended.run.id} could not be written; it is tried again`, error);
        await delay(wait, signal);
      }
    }
  }

  async #write({ plan, run, startedBy, ending, tail }: EndedRun): Promise<Run> {
    const { outcome, endedAt } = ending;
    const end = { outcome, endedAt, exitCode: ending.result?.exitCode ?? null, signal: ending.result?.signal ?? null };
    const draft = await this.evidence.draft(plan, run, startedBy, ending);
    const receiptId = await this.feed.write(async (tx, append) => {
      if (!(await this.runs.end(tx, run, end))) return undefined;
      await this.runs.appendOutput(tx, run.id, tail);
      const { evidence } = await this.receipts.write(tx, append, draft);
      const id = evidence.id as ReceiptId; // the receipt's own id, in the file as plain text
      await this.runs.link(tx, run, id);
      await append(draft.scope, { type: 'plan.moved', planId: plan.id, status: outcome, expiresAt: plan.expiresAt });
      await append(draft.scope, { type: 'run.ended', runId: run.id, planId: plan.id, outcome, receiptId: id });
      return id;
    });
    if (receiptId === undefined) return (await this.runs.find(run.id)) ?? run; // another process was first; its end counts
    return { ...run, ...end, status: 'ended', receiptId };
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
