import { Injectable } from '@nestjs/common';
import type { Plan, PlanId, Principal, Run, SessionId, Workspace } from '#contracts';
import { AppError, Clock, unwrap } from '#platform';
import { move } from './core/plan-status.js';
import type { LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';
import { Plans } from './plans.js';
import { Rechecks } from './rechecks.js';
import { PolicyDocuments } from '#policy';
import type { PlanKind } from './plan-kinds.js';
import { RunSlots } from './run-slots.js';
import { RunStarts } from './run-starts.js';

/** The one-shot claim: the only way from an approved plan to a run. */
@Injectable()
export class Claims {
  #isClosing = false;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly plans: Plans,
    private readonly rechecks: Rechecks,
    private readonly starts: RunStarts,
    private readonly live: LiveRuns,
    private readonly slots: RunSlots,
    private readonly documents: PolicyDocuments,
    private readonly clock: Clock,
  ) {}

  /** From now on nothing new is started; settles when what was on its way is begun or refused. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#underWay);
  }

  async claim(principal: Principal, planId: PlanId, sessionId?: SessionId): Promise<LiveRun> {
    const claiming = this.#claim(principal, planId, sessionId);
    this.#underWay.add(claiming);
    try {
      return await claiming;
    } finally {
      this.#underWay.delete(claiming);
    }
  }

  async #claim(principal: Principal, planId: PlanId, sessionId?: SessionId): Promise<LiveRun> {
    const plan = await this.plans.getToAct(principal, planId, sessionId);
    unwrap(move(plan, 'running', this.clock.now()));
    this.#assertRoom();
    const { workspace, kind, run } = await this.#checkAndStart(plan, principal);
    const live = this.live.begin({ plan, run, workspace, kind, startedBy: principal.id });
    this.starts.handedOn(run.id);
    return live;
  }

  /** A policy that is saved between the look and the claim is looked at as well. */
  async #checkAndStart(
    plan: Plan,
    principal: Principal,
  ): Promise<{ readonly workspace: Workspace; readonly kind: PlanKind; readonly run: Run }> {
    for (;;) {
      const policy = await this.documents.number();
      const { workspace, kind } = await this.rechecks.check(plan);
      this.#assertRoom(); // looking took a while
      const run = await this.#start(plan, principal, policy);
      if (run !== 'policy_changed') return { workspace, kind, run };
    }
  }

  /** Takes a place, or the end of the line. */
  async #start(plan: Plan, { id }: Principal, policy: number): Promise<Run | 'policy_changed'> {
    const hasPlace = this.slots.take();
    let run: Run | string | undefined;
    try {
      run = await this.starts.write(plan, id, hasPlace ? 'started' : 'queued', policy);
    } finally {
      if (hasPlace && typeof run !== 'object') this.slots.release();
    }
    if (run === 'policy_changed') return run;
    if (run === 'approval_gone') await this.rechecks.stale(plan, ['remembered_approval']);
    if (typeof run === 'string') throw await this.#refusal(plan);
    return run;
  }

  #assertRoom(): void {
    if (this.#isClosing) throw new AppError('SHUTTING_DOWN', 'The server is stopping; try again when it is back');
    if (this.slots.isOverrun) throw new AppError('RUN_LIMIT', 'Too many runs wait for a free place');
  }

  /** Somebody was first; what they did tells the code. */
  async #refusal(seen: Plan): Promise<AppError> {
    const { plan, activeRunId } = await this.plans.withSession(seen.id);
    const refused = move(plan, 'running', this.clock.now());
    if (!refused.ok) return new AppError(refused.code, refused.message, refused.details);
    if (activeRunId !== undefined) {
      return new AppError('SESSION_BUSY', 'Another run of this session is active; wait for it', {
        sessionId: plan.sessionId,
        runId: activeRunId,
      });
    }
    return new AppError('SESSION_CLOSED', 'The session of this plan is not open any more', { sessionId: plan.sessionId });
  }
}
