import { Service, computed, inject, signal } from '@angular/core';
import type { Answer, Ask, AskId, Page, Plan, PlanId, RememberScope } from '#contracts';
import { Announcer } from '../../core/announcer.js';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { foldAsk } from '../../core/fold-asks.js';
import { foldPlan } from '../../core/fold-plan.js';
import { LiveCopy } from '../../core/live-copy.js';
import { Me } from '../../core/me.js';
import { messageOf } from '../../core/messages.js';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import type { PlannedText } from '../../shared/plan-editor.js';
import { changesSince } from './changes-since.js';
import { dockView } from './dock-state.js';
import type { DockStep } from './dock-state.js';
import { similarTo } from './similar.js';

const EARLIER = 100;
const EVENT_WITHIN_MS = 3_000;

interface VoteWith {
  readonly reason?: string | undefined;
  readonly remember?: RememberScope;
}

/** Owner of one open ask: its facts, where the person stands in deciding, and what the server said to it. */
@Service({ autoProvided: false })
export class AskStore {
  readonly #api = inject(Api);
  readonly #me = inject(Me);
  readonly #stream = inject(EventStream);
  readonly #announcer = inject(Announcer);
  readonly #words = inject(Words);
  readonly #workspaces = inject(Workspaces);
  readonly #ask = new LiveCopy<Ask>(foldAsk);
  readonly #plan = new LiveCopy<Plan>(foldPlan);
  readonly #earlier = signal<readonly Plan[] | undefined>(undefined);
  readonly #step = signal<DockStep>('idle');
  readonly #failure = signal<ApiError | undefined>(undefined);
  readonly #blocked = signal<Plan | undefined>(undefined);
  readonly #wasOpen = signal(false);
  readonly #remember = signal<RememberScope>('once');

  readonly ask = this.#ask.value;
  readonly plan = this.#plan.value;
  readonly loadFailure = computed(() => this.#ask.failure() ?? this.#plan.failure());
  /** What went wrong with my own decision. */
  readonly failure = this.#failure.asReadonly();
  /** The edited plan that policy would not let through; the old one still waits. */
  readonly blocked = this.#blocked.asReadonly();
  /** How long the approval that the person is about to give counts. */
  readonly remember = this.#remember.asReadonly();
  /** True when this page saw the ask open: then somebody else's decision is news. */
  readonly wasOpen = this.#wasOpen.asReadonly();
  readonly changes = computed(() => {
    const plan = this.plan();
    const earlier = this.#earlier();
    return plan === undefined || earlier === undefined ? undefined : changesSince(plan, earlier);
  });
  readonly similar = computed(() => {
    const plan = this.plan();
    const earlier = this.#earlier();
    return plan === undefined || earlier === undefined ? undefined : similarTo(plan, earlier);
  });
  readonly isEarlierKnown = computed(() => this.#earlier() !== undefined);
  /** What is drawn is what the ask names: only then it may be decided. */
  readonly isSeen = computed(() => this.ask() !== undefined && this.plan()?.digest === this.ask()?.digest);
  readonly dock = computed(() => {
    const ask = this.ask();
    if (ask === undefined) return undefined;
    return dockView({ ask, me: this.#me.principal(), isFresh: this.#stream.mayDecide(), isSeen: this.isSeen(), step: this.#step() });
  });

  async open(id: AskId): Promise<void> {
    this.#step.set('idle');
    this.#remember.set('once');
    this.#failure.set(undefined);
    this.#blocked.set(undefined);
    this.#earlier.set(undefined);
    await this.#ask.open(() => this.#api.get<Ask>(`asks/${id}`));
    const ask = this.ask();
    this.#wasOpen.set(ask?.status === 'open');
    if (ask?.planId == null || ask.id !== id) return;
    await this.#openPlan(ask.planId);
  }

  reload(): void {
    const ask = this.ask();
    void (ask === undefined ? this.#ask.reload() : this.open(ask.id));
  }

  /** To the second step, or back; `remember` says how long the approval is to count. */
  go(step: 'idle' | 'second' | 'reject' | 'edit', remember: RememberScope = 'once'): void {
    this.#remember.set(remember);
    this.#failure.set(undefined);
    this.#blocked.set(undefined);
    this.#step.set(step);
  }

  /** Sends the digest that is drawn. The dock stays at "Sending…" until the server's event. */
  async vote(answer: Answer, { reason, remember = 'once' }: VoteWith = {}): Promise<boolean> {
    const ask = this.ask();
    const plan = this.plan();
    if (ask === undefined || plan === undefined || !this.#stream.mayDecide()) return false;
    this.#step.set(answer);
    this.#failure.set(undefined);
    try {
      await this.#api.post<Ask>(`asks/${ask.id}/votes`, {
        answer,
        digest: plan.digest,
        ...(reason === undefined ? {} : { reason }),
        ...(remember === 'once' ? {} : { remember }),
      });
    } catch (thrown) {
      this.#voteFailed(ApiError.of(thrown));
      return false;
    }
    setTimeout(() => {
      // The event brings the answer; should it not come, the row itself is asked for.
      if (this.ask()?.id === ask.id && this.#step() === answer && this.dock()?.kind === 'sending') void this.#ask.reload();
    }, EVENT_WITHIN_MS);
    return true;
  }

  /** Makes a new plan from the edited command; only when it stands, the old one is rejected as edited. */
  async edit(text: PlannedText): Promise<PlanId | undefined> {
    const old = this.plan();
    if (old === undefined) return undefined;
    this.#failure.set(undefined);
    this.#blocked.set(undefined);
    try {
      const { env, limits } = old.body;
      const cwd = pathFrom(this.#workspaces.find(old.workspaceId)?.root ?? '', old.body.cwd);
      const plan = await this.#api.post<Plan>('plans', { workspaceId: old.workspaceId, cwd, env, limits, editedFrom: old.id, ...text });
      if (plan.status === 'blocked') {
        this.#blocked.set(plan);
        return undefined;
      }
      await this.vote('deny', { reason: 'edited' });
      return plan.id;
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
      return undefined;
    }
  }

  async #openPlan(id: PlanId): Promise<void> {
    await this.#plan.open(() => this.#api.get<Plan>(`plans/${id}`));
    const plan = this.plan();
    if (plan === undefined) return;
    const earlier = await this.#api.get<Page<Plan>>(`plans${queryOf({ limit: EARLIER })}`).catch(() => undefined);
    if (this.plan()?.id === plan.id) this.#earlier.set(earlier?.items);
  }

  #voteFailed(failure: ApiError): void {
    this.#step.set('idle');
    this.#failure.set(failure);
    this.#announcer.failed(messageOf(failure, this.#words.lang()));
    void this.#ask.reload();
  }
}

/** A folder as a plan names it: from the root of its workspace. */
function pathFrom(root: string, folder: string): string {
  if (folder === root) return '.';
  return root !== '' && folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : folder;
}
