import { Injectable } from '@nestjs/common';
import type { Plan, Workspace } from '#contracts';
import { AppError } from '#platform';
import { PlanEndings } from './plan-endings.js';
import { type PlanKind, PlanKinds } from './plan-kinds.js';
import { Workspaces } from './workspaces.js';

/** Looks at a plan once more before it runs, and ends it as stale when the world is another by now. */
@Injectable()
export class Rechecks {
  constructor(
    private readonly kinds: PlanKinds,
    private readonly workspaces: Workspaces,
    private readonly endings: PlanEndings,
  ) {}

  async check(plan: Plan): Promise<{ readonly workspace: Workspace; readonly kind: PlanKind }> {
    const workspace = await this.workspaces.get(plan.workspaceId);
    this.workspaces.assertPresent(workspace);
    const kind = this.kinds.get(plan.body.kind);
    const changes = await kind.recheck(plan, workspace);
    if (changes.length === 0) return { workspace, kind };
    await this.stale(plan, changes);
    return { workspace, kind };
  }

  /** Throws, unless somebody else has acted on it meanwhile; then the claim fails and says what they did. */
  async stale(plan: Plan, changed: readonly string[]): Promise<void> {
    if (!(await this.endings.stale(plan, changed))) return;
    throw new AppError('PLAN_STALE', 'What the plan saw has changed; plan again', { planId: plan.id, changed });
  }
}
