import type { OutputChunk, Plan, PrincipalId, Run, RunFrame, RunStatus, TypedFact, Workspace } from '#contracts';
import type { EndedBy } from './core/ended-by.js';
import { OutputLog } from './core/output-log.js';
import type { PlanKind } from './plan-kinds.js';
import type { RunProcess } from './repositories.js';
import type { Turn } from './run-slots.js';

/** A run that is to be carried out by this process. */
export interface StartedRun {
  readonly plan: Plan;
  readonly run: Run;
  readonly workspace: Workspace;
  readonly kind: PlanKind;
  readonly startedBy: PrincipalId;
}

/** A frame of a run's stream, with the number that a viewer comes back with. */
export interface NumberedFrame {
  readonly seq: number;
  readonly frame: RunFrame;
}

/** State of one run of this process between its start and its durable end. In memory only; the row is the truth. */
export class LiveRun {
  readonly log: OutputLog;
  readonly #unsaved: OutputChunk[] = [];
  readonly processes: RunProcess[] = [];
  readonly ended: Promise<Run>;
  /** Who typed into its terminal. */
  readonly typed: TypedFact[] = [];
  endedBy: EndedBy | null = null;
  status: Exclude<RunStatus, 'ended'>;
  /** Its place in line, while it waits for one. */
  turn: Turn | null = null;
  hasPlace: boolean;
  /** As it was when it was last looked at. */
  workspace: Workspace;
  /** Number of the last frame that viewers were told. */
  told = 0;
  /** Parts of the row that the database does not know yet. */
  unsavedStatus = false;
  unsavedProcesses = false;
  timer: NodeJS.Timeout | undefined;
  saving: Promise<void> = Promise.resolve();
  resolve!: (run: Run) => void;
  reject!: (error: unknown) => void;

  constructor(readonly started: StartedRun) {
    this.status = started.run.status === 'queued' ? 'queued' : 'started';
    this.workspace = started.workspace;
    this.hasPlace = this.status === 'started';
    // Live output is for watching; the receipt has head and tail of the whole. Both streams together, with room for marks.
    this.log = new OutputLog(started.plan.body.limits.maxOutputBytes * 2);
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.ended.catch(() => undefined); // nobody may be waiting
  }

  /** Output that is not stored yet, numbered. */
  takeOutput(): readonly OutputChunk[] {
    return [...this.#unsaved.splice(0), ...this.log.take()];
  }

  /** Output whose storing failed; it keeps its numbers. */
  putBack(chunks: readonly OutputChunk[]): void {
    this.#unsaved.unshift(...chunks);
  }

  get hasNews(): boolean {
    return this.#unsaved.length > 0 || !this.log.isEmpty || this.unsavedStatus || this.unsavedProcesses;
  }

  moveTo(status: Exclude<RunStatus, 'ended'>): void {
    if (status === this.status) return;
    this.status = status;
    this.unsavedStatus = true;
  }
}
