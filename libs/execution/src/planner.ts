import { Injectable } from '@nestjs/common';
import type { Plan, PlanId, Principal } from '#contracts';
import { Clock, newId } from '#platform';
import { Rulings } from '#policy';
import { askDeadline, deadline, firstStatus } from './core/plan-status.js';
import { planDigest } from './core/plan-digest.js';
import { PlanKinds, type PlanRequest } from './plan-kinds.js';
import { PlanWriter } from './plan-writer.js';
import { Sessions, type SessionWish } from './sessions.js';
import { Workspaces } from './workspaces.js';

/** What both doors map to. */
export interface CreatePlan extends SessionWish {
  readonly principal: Principal;
  readonly request: PlanRequest;
  /** The plan that a person edited into this one. */
  readonly editedFrom?: PlanId | undefined;
}

/** Makes plans: works the request out, asks policy, and writes plan, ask or refusal together. */
@Injectable()
export class Planner {
  constructor(
    private readonly sessions: Sessions,
    private readonly workspaces: Workspaces,
    private readonly kinds: PlanKinds,
    private readonly rulings: Rulings,
    private readonly writer: PlanWriter,
    private readonly clock: Clock,
  ) {}

  async plan({ principal, request, editedFrom, ...wish }: CreatePlan): Promise<Plan> {
    const { session, workspace } = await this.sessions.use(principal, wish);
    this.workspaces.assertPresent(workspace);
    const requester = await this.rulings.requester(principal, workspace.id);
    const prepared = await this.kinds.get(request.kind).prepare(request, workspace, { requester, sessionId: session.id });
    const status = firstStatus(prepared.decision);
    const now = this.clock.now();
    return this.writer.write(principal, workspace, {
      ...prepared,
      id: newId<PlanId>(),
      sessionId: session.id,
      workspaceId: workspace.id,
      owner: principal.id,
      ownerName: principal.name,
      channel: principal.channel,
      digest: planDigest(prepared),
      createdAt: now,
      status,
      expiresAt: status === 'awaiting_approval' ? askDeadline(prepared.decision, now) : deadline(status, now),
      askId: null,
      runId: null,
      receiptId: null,
      editedFrom: editedFrom ?? null,
      requester,
    });
  }
}
