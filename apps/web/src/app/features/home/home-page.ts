import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { ActiveRuns } from '../../core/active-runs.js';
import { Me } from '../../core/me.js';
import { OpenAsks } from '../../core/open-asks.js';
import { Place } from '../../core/place.js';
import { Plans } from '../../core/plans.js';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import { shortDuration } from '../../core/time-text.js';
import { BarsChart, type Bars } from '../../shared/bars.js';
import { Countdown } from '../../shared/countdown.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { ReceiptRow } from '../../shared/receipt-row.js';
import { RunRow } from '../../shared/run-row.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { VolumeChart } from '../../shared/volume-chart.js';
import { Decided } from './decided.js';
import { WAITS } from './decision-times.js';
import { HealthStrip } from './health-strip.js';
import { HomeStore } from './home.store.js';

/** The day in ten seconds: the riskiest ask, what runs, what went wrong, how much and how fast, and how everything does. */
@Component({
  selector: 'cs-home-page',
  imports: [BarsChart, Countdown, Empty, Failure, HealthStrip, Mark, ReceiptRow, RouterLink, RunRow, Skeleton, Text, VolumeChart],
  providers: [Decided, HomeStore],
  templateUrl: './home-page.html',
  styleUrl: './home-page.css',
})
export class HomePage {
  readonly #plans = inject(Plans);
  protected readonly asks = inject(OpenAsks);
  protected readonly runs = inject(ActiveRuns);
  protected readonly me = inject(Me);
  protected readonly workspaces = inject(Workspaces);
  protected readonly store = inject(HomeStore);
  protected readonly decided = inject(Decided);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly first = computed(() => this.asks.mine()[0]);
  protected readonly rest = computed(() => this.asks.mine().slice(1, 4));
  protected readonly rows = computed(() =>
    this.runs.all().map((run) => {
      const plan = this.#plans.of(run.planId)();
      return { run, plan, workspace: this.workspaces.nameOf(plan?.workspaceId ?? null) };
    }),
  );

  protected readonly wrongParts = computed(() => {
    const counts = new Map<string, number>();
    for (const { outcome } of this.store.wrong()) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    return [...counts].map(([outcome, count]) => ({ outcome, count, isMore: this.store.isMore(outcome) }));
  });
  protected readonly waits = computed(() => WAITS.map(({ word }) => this.t(word)));
  protected readonly decisions = computed<readonly Bars[]>(() => [
    { name: this.t('decisions'), family: 'ink', values: this.decided.times().counts },
  ]);
  protected readonly median = computed(() => {
    const { medianMs } = this.decided.times();
    return medianMs === undefined ? '' : this.t('day_median', { time: shortDuration(Math.max(1_000, medianMs), this.words.lang()) });
  });

  constructor() {
    inject(Place).at(() => ({ title: this.t('home') }));
  }
}
