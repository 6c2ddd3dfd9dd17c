import { Injectable } from '@nestjs/common';
import type { Decision, Pins, Plan, PlanKind as PlanKindName, RunId, SandboxFacts, Workspace } from '#contracts';
import { AppError } from '#platform';
import type { Asker } from './command-decisions.js';
import type { WishedLimits } from './core/limits.js';
import type { TerminalSize } from './executor/protocol.js';
import type { RunSignal } from './ports.js';

/** What a caller wants done; a kind takes from it what it understands. */
export interface PlanRequest {
  readonly kind: PlanKindName;
  readonly command?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly limits?: WishedLimits | undefined;
  readonly tty?: boolean | undefined;
}

/** A request that is worked out: what would run, what was seen, and what policy says to it. */
export interface Prepared {
  readonly body: Plan['body'];
  readonly pins: Pins;
  readonly decision: Decision;
  readonly sandbox: SandboxFacts;
}

/** One kind of action. Everything about plans, asks, claims and receipts is the same for all of them. */
export interface PlanKind {
  readonly kind: PlanKindName;
  prepare(request: PlanRequest, workspace: Workspace, asker: Asker): Promise<Prepared>;
  /** Looks again at all that the plan saw. Names what has changed; empty means that it may run. Throws what is no change but a hindrance. */
  recheck(plan: Plan, workspace: Workspace): Promise<readonly string[]>;
  /** Starts the one run. After it returns, `signal` gets exactly one `ended`, last. Throws when nothing was started. */
  dispatch(plan: Plan, workspace: Workspace, runId: RunId, signal: (signal: RunSignal) => void): void;
  pause(runId: RunId): void;
  resume(runId: RunId): void;
  cancel(runId: RunId): void;
  /** What a person types; only for kinds whose runs have terminals. */
  input?(runId: RunId, text: string): void;
  resize?(runId: RunId, size: TerminalSize): void;
}

/** Owner of the registry of plan kinds. Filled while the modules start. */
@Injectable()
export class PlanKinds {
  readonly #kinds = new Map<PlanKindName, PlanKind>();

  register(kind: PlanKind): void {
    if (this.#kinds.has(kind.kind)) throw new Error(`The plan kind ${kind.kind} is registered twice`);
    this.#kinds.set(kind.kind, kind);
  }

  get(kind: PlanKindName): PlanKind {
    const found = this.#kinds.get(kind);
    if (!found) throw new AppError('PLAN_KIND_UNKNOWN', 'No such kind of plan', { kind });
    return found;
  }
}
