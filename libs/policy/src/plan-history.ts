import { Injectable } from '@nestjs/common';
import type { Plan, PlanId, Principal, WorkspaceId } from '#contracts';
import { AppError } from '#platform';
import type { Circumstances } from './core/documents/match.js';

/** What policy needs to know about plans that were made. */
export interface PlanSource {
  /** A plan that the caller may see. */
  find(principal: Principal, id: PlanId): Promise<Plan>;
  /** Plans made since then, the newest first, page by page. */
  since(at: number): AsyncIterable<readonly Plan[]>;
  workspaces(): Promise<readonly (Circumstances['workspace'] & { readonly id: WorkspaceId })[]>;
}

/** Where policy learns about plans: whoever owns them says once how to find them. */
@Injectable()
export class PlanHistory {
  #source: PlanSource | undefined;

  use(source: PlanSource): void {
    this.#source = source;
  }

  get source(): PlanSource {
    if (!this.#source) throw new AppError('PLAN_NOT_FOUND', 'No plans are kept here');
    return this.#source;
  }

  async workspace(id: WorkspaceId): Promise<Circumstances['workspace']> {
    const found = (await this.source.workspaces()).find((workspace) => workspace.id === id);
    if (!found) throw new AppError('WORKSPACE_NOT_FOUND', 'No such workspace', { workspaceId: id });
    return found;
  }
}
