import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { ActiveRuns } from '../../core/active-runs.js';
import { Me } from '../../core/me.js';
import { OpenAsks } from '../../core/open-asks.js';
import { Place } from '../../core/place.js';
import { Plans } from '../../core/plans.js';
import { Words } from '../../core/say.js';
import { Workspaces } from '../../core/workspaces.js';
import { Countdown } from '../../shared/countdown.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { ReceiptRow } from '../../shared/receipt-row.js';
import { RunRow } from '../../shared/run-row.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { HomeStore } from './home.store.js';

/** The day in ten seconds: the riskiest ask, what runs, what went wrong. */
@Component({
  selector: 'cs-home-page',
  imports: [Countdown, Empty, Failure, Mark, ReceiptRow, RouterLink, RunRow, Skeleton, Text],
  providers: [HomeStore],
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

  constructor() {
    inject(Place).at(() => ({ title: this.t('home') }));
  }
}
