import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Plan, PlanId } from '#contracts';
import { PlanHistory } from '#policy';
import { Plans } from './plans.js';
import { PlanRepository } from './repositories.js';
import { Workspaces } from './workspaces.js';

const AT_ONCE = 500;

/** Tells policy, which replays documents and learns rules, how to find plans. */
@Injectable()
export class PastPlans implements OnModuleInit {
  constructor(
    private readonly history: PlanHistory,
    private readonly plans: Plans,
    private readonly rows: PlanRepository,
    private readonly workspaces: Workspaces,
  ) {}

  onModuleInit(): void {
    this.history.use({
      find: (principal, id) => this.plans.get(principal, id),
      since: (at) => this.#since(at),
      workspaces: () => this.workspaces.list(),
    });
  }

  /** Ids follow time, so the first page that reaches further back is the last. */
  async *#since(at: number): AsyncGenerator<readonly Plan[]> {
    let before: PlanId | undefined;
    for (;;) {
      const page = await this.rows.page({ before, limit: AT_ONCE });
      const wanted = page.filter(({ createdAt }) => createdAt >= at);
      if (wanted.length > 0) yield wanted;
      if (wanted.length < AT_ONCE) return;
      before = page.at(-1)?.id;
    }
  }
}
