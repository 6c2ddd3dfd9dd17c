import type { PlanId, PrincipalId, ReceiptId, RunId, SessionId } from './id.js';
import type { RunOutcome } from './plan.js';

/** `queued`: claimed, and waiting for a free place; nothing is started yet. */
export const RUN_STATUSES = ['queued', 'started', 'running', 'paused', 'ended'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The one attempt to carry out an approved plan. */
export interface Run {
  readonly id: RunId;
  readonly planId: PlanId;
  readonly sessionId: SessionId;
  readonly owner: PrincipalId;
  readonly status: RunStatus;
  readonly outcome: RunOutcome | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly receiptId: ReceiptId | null;
}

export const OUTPUT_STREAMS = ['stdout', 'stderr'] as const;
export type OutputStream = (typeof OUTPUT_STREAMS)[number];

/** A stored piece of run output: redacted, valid UTF-16, in the order it was seen. `seq` starts at 1 per run. */
export interface OutputChunk {
  readonly seq: number;
  readonly stream: OutputStream;
  readonly text: string;
  readonly at: number;
}
