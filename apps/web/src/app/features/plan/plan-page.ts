import { Component, DestroyRef, computed, effect, inject, input, untracked } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import type { PlanId } from '#contracts';
import { EventStream } from '../../core/event-stream.js';
import { Keys } from '../../core/keys.js';
import { Me } from '../../core/me.js';
import { Now } from '../../core/now.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { durationText, momentText } from '../../core/time-text.js';
import { Workspaces } from '../../core/workspaces.js';
import { AskFirst } from '../../shared/ask-first.js';
import { asSent } from '../../shared/as-sent.js';
import { Contained } from '../../shared/contained.js';
import { Countdown } from '../../shared/countdown.js';
import { Digest } from '../../shared/digest.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { Rail } from '../../shared/rail.js';
import { railOf } from '../../shared/rail-of.js';
import { Said } from '../../shared/said.js';
import { shortId } from '../../shared/short-id.js';
import { Scripts } from '../../shared/scripts.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Stages } from '../../shared/stages.js';
import { Text } from '../../shared/text.js';
import { TouchTable } from '../../shared/touch-table.js';
import { WhyList } from '../../shared/why-list.js';
import { PlanStore } from './plan.store.js';

/** One plan from its making to its receipt. Its own person may run it once it is approved. */
@Component({
  selector: 'cs-plan-page',
  imports: [Contained, Countdown, Digest, Failure, Mark, Rail, RouterLink, Said, Scripts, Skeleton, Stages, Text, TouchTable, WhyList],
  providers: [PlanStore],
  templateUrl: './plan-page.html',
  styleUrl: './plan-page.css',
})
export class PlanPage {
  readonly #router = inject(Router);
  readonly #me = inject(Me);
  readonly #now = inject(Now);
  readonly #words = inject(Words);
  readonly #workspaces = inject(Workspaces);
  readonly #askFirst = inject(AskFirst);
  readonly id = input.required<PlanId>();

  protected readonly store = inject(PlanStore);
  protected readonly stream = inject(EventStream);
  protected readonly t = this.#words.say;
  protected readonly workspace = computed(() => this.#workspaces.find(this.store.plan()?.workspaceId ?? null));
  protected readonly asSent = computed(() => asSent(this.store.plan()));
  protected readonly hasScripts = computed(() => this.store.plan()?.decision.stages.some((stage) => stage.scripts !== undefined) ?? false);
  protected readonly isMine = computed(() => this.store.plan()?.owner === this.#me.principal()?.id);
  protected readonly mayRun = computed(() => this.store.plan()?.status === 'approved' && this.isMine() && this.#me.can('terminal:execute'));
  protected readonly mayCancel = computed(() => {
    const status = this.store.plan()?.status;
    return this.isMine() && (status === 'awaiting_approval' || status === 'approved');
  });
  protected readonly isWaiting = computed(() => {
    const status = this.store.plan()?.status;
    return status === 'awaiting_approval' || status === 'approved';
  });
  protected readonly rail = computed(() => {
    const plan = this.store.plan();
    if (plan === undefined) return [];
    const at = (ms: number): string => momentText(ms, this.#now.ms(), this.#words.lang());
    const vote = this.store.ask()?.votes.at(-1);
    return railOf(plan, this.store.ask(), undefined, {
      planned: `${at(plan.createdAt)}, ${plan.ownerName}`,
      policy: plan.decision.rules[0] ?? '',
      signed: plan.decision.outcome === 'allow' ? this.t('by_policy') : vote === undefined ? '' : `${at(vote.at)}, ${vote.byName}`,
      running:
        plan.status === 'approved' ? this.t('within', { time: durationText(plan.expiresAt - this.#now.ms(), this.#words.lang()) }) : '',
      receipt: this.t(plan.receiptId === null ? 'signed_when_ends' : 'signed_kept'),
    });
  });

  constructor() {
    inject(Place).at(() => ({
      title: this.t('plan_title', { id: shortId(this.id()) }),
      path: [{ text: this.t('live_work'), link: '/live' }],
    }));
    effect(() => {
      const id = this.id();
      untracked(() => void this.store.open(id));
    });
    inject(Keys).add(
      [
        { letter: 'Shift+R', word: 'key_run', act: () => void this.run() },
        { letter: 'Esc', word: 'key_back', act: () => void this.#router.navigateByUrl('/live') },
      ],
      inject(DestroyRef),
    );
  }

  protected async run(): Promise<void> {
    if (!this.mayRun() || !this.stream.mayDecide()) return;
    const run = await this.store.run();
    if (run !== undefined) await this.#router.navigate(['/runs', run.id]);
  }

  protected async cancel(): Promise<void> {
    const isSure = await this.#askFirst.confirm({
      title: this.t('drop_title'),
      text: this.t('drop_text'),
      act: this.t('drop_act'),
      isDanger: true,
    });
    if (isSure) await this.store.cancel();
  }
}
