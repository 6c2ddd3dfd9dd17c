import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PolicyText, Principal, ReplayChange, ReplayResult } from '#contracts';
import { AppError, Clock, unwrap } from '#platform';
import { checkMayChange } from './core/documents/may-change.js';
import { readDocument } from './core/documents/read.js';
import { changeOf, decideAgain, type ReplayedPlan } from './core/documents/replay.js';
import { readyDocument, type ReadyDocument } from './core/documents/rule-on.js';
import { PlanHistory } from './plan-history.js';

export interface ReplayWish {
  readonly principal: Principal;
  readonly yaml: string;
  readonly days: number;
  readonly limit: number;
}

const DAY_MS = 86_400_000;
const MAX_PLANS = 10_000;

/** Owner of replays: what a document would have said to the plans of the last days. Looks at nothing but what is stored with them. */
@Injectable()
export class Replays {
  constructor(
    private readonly history: PlanHistory,
    private readonly clock: Clock,
  ) {}

  async replay({ principal, yaml, days, limit }: ReplayWish): Promise<ReplayResult> {
    unwrap(checkMayChange(principal));
    const read = readDocument(yaml);
    if (!read.ok) throw new AppError('POLICY_INVALID', 'The document cannot be read', { issues: read.issues });
    return this.of(read.document, days, limit);
  }

  /** For code that has checked the caller already. */
  async of(text: PolicyText, days: number, limit: number): Promise<ReplayResult> {
    const startedAt = performance.now();
    const document = readyDocument(text, 'draft');
    const workspaces = new Map((await this.history.source.workspaces()).map((workspace) => [workspace.id, workspace]));
    const tally = new Tally(limit);
    let isCapped = false;
    for await (const page of this.history.source.since(this.clock.now() - days * DAY_MS)) {
      for (const plan of page.slice(0, MAX_PLANS - tally.plans)) tally.add(again(plan, workspaces.get(plan.workspaceId), document));
      isCapped ||= tally.plans === MAX_PLANS && page.length > 0;
      if (tally.plans >= MAX_PLANS) break;
      await setImmediate(); // others get their turn between pages
    }
    return { days, ...tally.result(), capped: isCapped, ms: Math.round(performance.now() - startedAt) };
  }
}

/** Undefined: nothing can be said about it. Null: the verdict stays. */
function again(
  plan: ReplayedPlan,
  workspace: Parameters<typeof decideAgain>[1] | undefined,
  document: ReadyDocument,
): ReplayChange | null | undefined {
  const now = workspace && decideAgain(plan, workspace, document);
  return now && (changeOf(plan, now) ?? null);
}

/** Counts all changes and keeps the first of each kind. */
class Tally {
  plans = 0;
  #skipped = 0;
  readonly #counts = { looser: 0, stricter: 0, terms: 0 };
  readonly #kept: Record<ReplayChange['change'], ReplayChange[]> = { looser: [], stricter: [], terms: [] };

  constructor(private readonly limit: number) {}

  add(change: ReplayChange | null | undefined): void {
    this.plans += 1;
    if (change === undefined) this.#skipped += 1;
    if (!change) return;
    this.#counts[change.change] += 1;
    if (this.#kept[change.change].length < this.limit) this.#kept[change.change].push(change);
  }

  result(): Omit<ReplayResult, 'days' | 'capped' | 'ms'> {
    const { looser, stricter, terms } = this.#counts;
    const changes = [...this.#kept.looser, ...this.#kept.stricter, ...this.#kept.terms].slice(0, this.limit);
    const unchanged = this.plans - this.#skipped - looser - stricter - terms;
    return { plans: this.plans, unchanged, looser, stricter, terms, skipped: this.#skipped, changes };
  }
}
