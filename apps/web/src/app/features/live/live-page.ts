import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Page, Plan } from '#contracts';
import { ActiveRuns } from '../../core/active-runs.js';
import { Api } from '../../core/api.js';
import { foldPlan } from '../../core/fold-plan.js';
import { LiveCopy } from '../../core/live-copy.js';
import { Me } from '../../core/me.js';
import { Place } from '../../core/place.js';
import { Plans } from '../../core/plans.js';
import { Words } from '../../core/say.js';
import { oneLine } from '../../core/text/argv-text.js';
import { Workspaces } from '../../core/workspaces.js';
import { Countdown } from '../../shared/countdown.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Mark } from '../../shared/mark.js';
import { RunRow } from '../../shared/run-row.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';

const READY = 50;

/** What runs now, and what is approved and waits to be run. */
@Component({
  selector: 'cs-live-page',
  imports: [Countdown, Empty, Failure, Icon, Mark, RouterLink, RunRow, Skeleton, Text, Time],
  template: `
    <div class="page">
      <div class="bar">
        <p class="q grow">{{ t('live_text') }}</p>
        @if (me.can('terminal:plan')) {
          <a class="btn" routerLink="/plans/new"><cs-icon shape="plus" />{{ t('plan_command') }}</a>
        }
      </div>
      <section class="sec" aria-labelledby="now">
        <h2 id="now">
          {{ t('runs_now') }} <span class="q">{{ runs.all().length || '' }}</span>
        </h2>
        @if (runs.failure(); as failed) {
          <cs-failure [failure]="failed" [retryable]="true" (retry)="runs.start()" />
        }
        @if (rows().length > 0) {
          <div role="list">
            @for (row of rows(); track row.run.id) {
              <cs-run-row [run]="row.run" [plan]="row.plan" [workspace]="row.workspace" />
            }
          </div>
        } @else if (runs.isLoaded()) {
          <cs-empty shape="live" [text]="t('nothing_runs')" />
        } @else {
          <cs-skeleton [lines]="3" />
        }
      </section>
      <section class="sec" aria-labelledby="ready">
        <h2 id="ready">{{ t('ready_to_run') }}</h2>
        @for (plan of ready(); track plan.id) {
          <a class="lrow plan" [routerLink]="['/plans', plan.id]">
            <cs-mark set="plan" [value]="plan.status" look="thin" />
            <cs-text class="c cut" [text]="lineOf(plan)" />
            <span class="q cut"><cs-text [text]="plan.ownerName" /> · <cs-text [text]="workspaces.nameOf(plan.workspaceId)" /></span>
            <cs-countdown [short]="true" [from]="plan.createdAt" [until]="plan.expiresAt" />
          </a>
        } @empty {
          <cs-empty shape="signed" [text]="t('nothing_ready')" />
        }
      </section>
      <section class="sec" aria-labelledby="lately">
        <h2 id="lately">{{ t('plans_lately') }}</h2>
        @for (plan of lately(); track plan.id) {
          <a class="lrow plan" [routerLink]="['/plans', plan.id]">
            <cs-mark set="plan" [value]="plan.status" look="thin" />
            <cs-text class="c cut" [text]="lineOf(plan)" />
            <span class="q cut"><cs-text [text]="plan.ownerName" /> · <cs-text [text]="workspaces.nameOf(plan.workspaceId)" /></span>
            <cs-time class="q" [at]="plan.createdAt" />
          </a>
        } @empty {
          <cs-empty shape="planned" [text]="t('no_plans')" />
        }
      </section>
    </div>
  `,
  styles: `
    .plan {
      display: grid;
      grid-template-columns: 150px minmax(0, 2fr) minmax(0, 1fr) 110px;
      gap: 2px 14px;
      align-items: baseline;
    }
    .c {
      font-family: var(--mono);
      font-variant-ligatures: none;
    }
    .plan > :last-child {
      justify-self: end;
    }
    @media (max-width: 767px) {
      .plan {
        grid-template-columns: minmax(0, 1fr) auto;
      }
      .plan .c {
        grid-column: 1 / -1;
        order: -1;
      }
      .plan .q.cut {
        order: 3;
      }
    }
  `,
})
export class LivePage {
  readonly #api = inject(Api);
  readonly #plans = inject(Plans);
  readonly #page = new LiveCopy<readonly Plan[]>((plans, event) =>
    event.type === 'plan.created' ? [event.plan, ...plans].slice(0, READY) : plans.map((plan) => foldPlan(plan, event)),
  );
  protected readonly runs = inject(ActiveRuns);
  protected readonly me = inject(Me);
  protected readonly workspaces = inject(Workspaces);
  protected readonly t = inject(Words).say;
  protected readonly ready = computed(() => (this.#page.value() ?? []).filter((plan) => plan.status === 'approved'));
  protected readonly lately = computed(() => (this.#page.value() ?? []).filter((plan) => plan.status !== 'approved').slice(0, 12));
  protected readonly rows = computed(() =>
    this.runs.all().map((run) => {
      const plan = this.#plans.of(run.planId)();
      return { run, plan, workspace: this.workspaces.nameOf(plan?.workspaceId ?? null) };
    }),
  );

  constructor() {
    inject(Place).at(() => ({ title: this.t('live_work') }));
    void this.#page.open(async () => (await this.#api.get<Page<Plan>>(`plans?limit=${String(READY)}`)).items);
  }

  protected lineOf(plan: Plan): string {
    return oneLine(plan.body.stages);
  }
}
