import { Component, DestroyRef, type ElementRef, computed, effect, inject, input, signal, untracked, viewChild } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import type { AskId } from '#contracts';
import { Keys } from '../../core/keys.js';
import { Words } from '../../core/say.js';
import { spelled } from '../../core/text/hidden.js';
import { Workspaces } from '../../core/workspaces.js';
import { asSent } from '../../shared/as-sent.js';
import { Contained } from '../../shared/contained.js';
import { Countdown } from '../../shared/countdown.js';
import { Due } from '../../shared/due.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { Said } from '../../shared/said.js';
import { Scripts } from '../../shared/scripts.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Stages } from '../../shared/stages.js';
import { Text } from '../../shared/text.js';
import { Time } from '../../shared/time.js';
import { TouchTable } from '../../shared/touch-table.js';
import { AskStore } from './ask.store.js';
import { Dock } from './dock.js';
import { WhyList } from '../../shared/why-list.js';

/** One ask: every fact for the decision, then the dock. Closed, it shows how it ended. */
@Component({
  selector: 'cs-ask-page',
  imports: [Contained, Countdown, Dock, Due, Failure, Mark, RouterLink, Said, Scripts, Skeleton, Stages, Text, Time, TouchTable, WhyList],
  providers: [AskStore],
  templateUrl: './ask-page.html',
  styleUrl: './ask-page.css',
})
export class AskPage {
  readonly #router = inject(Router);
  readonly #workspaces = inject(Workspaces);
  private readonly bodyRef = viewChild<ElementRef<HTMLElement>>('body');
  private readonly sheetRef = viewChild<ElementRef<HTMLElement>>('sheet');
  private readonly headingRef = viewChild<ElementRef<HTMLElement>>('heading');
  readonly id = input.required<AskId>();

  #focusBefore: Element | null = null;
  protected readonly store = inject(AskStore);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly readShare = signal(0);
  protected readonly workspace = computed(() => this.#workspaces.find(this.store.ask()?.workspaceId ?? null));
  protected readonly asSent = computed(() => asSent(this.store.plan()));
  protected readonly hasScripts = computed(() => this.store.plan()?.decision.stages.some((stage) => stage.scripts !== undefined) ?? false);
  protected readonly deciders = computed(() =>
    (this.store.ask()?.deciders ?? [])
      .map(({ roles, people }) => spelled([...roles, ...people].join(this.t('list_or'))))
      .join(this.t('list_comma')),
  );
  protected readonly kind = computed(() => {
    const stages = this.store.plan()?.body.stages.length ?? 1;
    return stages > 1 ? this.t('kind_stages', { n: stages }) : this.t('kind_command');
  });

  constructor() {
    effect(() => {
      const id = this.id();
      untracked(() => {
        this.readShare.set(0);
        this.#focusBefore = document.activeElement;
        void this.store.open(id);
      });
    });
    // Reading starts at the heading, unless the person has moved on meanwhile.
    effect(() => {
      const heading = this.headingRef()?.nativeElement;
      const now = document.activeElement;
      if (now === this.#focusBefore || now === document.body) heading?.focus({ preventScroll: true });
    });
    this.#watchReading();
    inject(Keys).add([{ letter: 'Esc', word: 'key_back', act: () => this.#back(), inFields: true }], inject(DestroyRef));
  }

  protected opened(planId: string): void {
    void this.#router.navigate(['/plans', planId]);
  }

  /** How much of the command was on screen: the share of its height that has passed the lower edge. */
  protected measure(): void {
    const body = this.bodyRef()?.nativeElement.getBoundingClientRect();
    const sheet = this.sheetRef()?.nativeElement.getBoundingClientRect();
    if (body === undefined || sheet === undefined || sheet.height === 0) return;
    const share = Math.max(0, Math.min(1, (body.bottom - sheet.top) / sheet.height));
    this.readShare.update((before) => Math.max(before, share));
  }

  #watchReading(): void {
    const observer = new ResizeObserver(() => {
      this.measure();
    });
    effect(() => {
      observer.disconnect();
      const sheet = this.sheetRef()?.nativeElement;
      const body = this.bodyRef()?.nativeElement;
      if (sheet !== undefined) observer.observe(sheet);
      if (body !== undefined) observer.observe(body);
    });
    inject(DestroyRef).onDestroy(() => {
      observer.disconnect();
    });
  }

  #back(): void {
    const dock = this.store.dock();
    if (dock?.kind === 'second' || dock?.kind === 'reject' || dock?.kind === 'edit') this.store.go('idle');
    else void this.#router.navigate(['/inbox'], { queryParamsHandling: 'preserve' });
  }
}
