import { Injectable, Logger } from '@nestjs/common';
import type { OutputChunk, Plan, PrincipalId, ReceiptFile, ReceiptId, Run } from '#contracts';
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

/** A run whose end is durable, and its receipt where this process has written it: without a proof of its place. */
export interface DurableEnd {
  readonly run: Run;
  readonly receipt: ReceiptFile | null;
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
  async write(ended: EndedRun, signal: AbortSignal): Promise<DurableEnd> {
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

  async #write({ plan, run, startedBy, ending, tail }: EndedRun): Promise<DurableEnd> {
    const { outcome, endedAt } = ending;
    const end = { outcome, endedAt, exitCode: ending.result?.exitCode ?? null, signal: ending.result?.signal ?? null };
    const draft = await this.evidence.draft(plan, run, startedBy, ending);
    const receipt = await this.feed.write(async (tx, append) => {
      if (!(await this.runs.end(tx, run, end))) return undefined;
      await this.runs.appendOutput(tx, run.id, tail);
      const file = await this.receipts.write(tx, append, draft);
      const id = receiptIdOf(file);
      await this.runs.link(tx, run, id);
      await append(draft.scope, { type: 'plan.moved', planId: plan.id, status: outcome, expiresAt: plan.expiresAt });
      await append(draft.scope, { type: 'run.ended', runId: run.id, planId: plan.id, outcome, receiptId: id });
      return file;
    });
    if (!receipt) return { run: (await this.runs.find(run.id)) ?? run, receipt: null }; // another process was first; its end counts
    return { run: { ...run, ...end, status: 'ended', receiptId: receiptIdOf(receipt) }, receipt };
  }
}

/** It stands in the file as plain text. */
function receiptIdOf({ evidence }: ReceiptFile): ReceiptId {
  return evidence.id as ReceiptId;
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
