import { Injectable } from '@nestjs/common';
import { type Plan, type PrincipalId, type Run, type RunId } from '#contracts';
import { AppError, Clock, EventFeed, newId } from '#platform';
import { PolicyDocuments, Remembered } from '#policy';
import { scopeOf } from './core/event-scope.js';
import { Lease } from './lease.js';
import { type Claim, RunRepository } from './repositories.js';

/** Why a plan was not claimed: what was taken, or what it stood on and is gone. */
export type NotTaken = Exclude<Claim, 'claimed'> | 'approval_gone' | 'policy_changed';

/** Writes the start of a run. It is durable before anything is spawned. */
@Injectable()
export class RunStarts {
  /** Of starts that are being written, or were written and not yet handed on. */
  readonly #pending = new Set<RunId>();

  constructor(
    private readonly runs: RunRepository,
    private readonly lease: Lease,
    private readonly remembered: Remembered,
    private readonly documents: PolicyDocuments,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  isPending(id: RunId): boolean {
    return this.#pending.has(id);
  }

  /** From now on somebody else answers for the run. */
  handedOn(id: RunId): void {
    this.#pending.delete(id);
  }

  /** Of all callers exactly one gets the run, and hands it on; the others learn what was taken. */
  async write(plan: Plan, startedBy: PrincipalId, status: 'queued' | 'started', policy: number): Promise<Run | NotTaken> {
    const run: Run = {
      id: newId<RunId>(),
      planId: plan.id,
      sessionId: plan.sessionId,
      owner: plan.owner,
      status,
      outcome: null,
      startedAt: this.clock.now(),
      endedAt: null,
      exitCode: null,
      signal: null,
      receiptId: null,
    };
    this.#pending.add(run.id);
    try {
      await this.feed.write(async (tx, append) => {
        const claim = await this.runs.claim(tx, { run, leaseOwner: this.lease.id, startedBy, processes: [] });
        if (claim !== 'claimed') throw new Taken(claim);
        // What was looked at before the claim must still be so in it.
        if (plan.askId && !(await this.remembered.holds(plan.askId, tx))) throw new Taken('approval_gone');
        await this.feed.hold(tx); // a policy that is being saved is committed before, and seen, or after
        if ((await this.documents.number(tx)) !== policy) throw new Taken('policy_changed');
        const scope = scopeOf(plan);
        await append(scope, { type: 'plan.moved', planId: plan.id, status: 'running', expiresAt: plan.expiresAt });
        await append(scope, { type: 'run.started', run });
      });
      return run;
    } catch (thrown) {
      this.#pending.delete(run.id);
      if (thrown instanceof Taken) return thrown.what;
      throw thrown;
    }
  }
}

/** Rolls the transaction back; never leaves this file. */
class Taken extends AppError {
  constructor(readonly what: NotTaken) {
    super('PLAN_STATUS_CONFLICT', 'Someone else was first');
  }
}
