import { Component, DestroyRef, type ElementRef, afterNextRender, computed, effect, inject, signal, viewChild } from '@angular/core';
import { MatCheckbox } from '@angular/material/checkbox';
import { MatFormField, MatLabel } from '@angular/material/form-field';
import { MatInput } from '@angular/material/input';
import { Router, RouterLink } from '@angular/router';
import type { Ask } from '#contracts';
import type { ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { Keys } from '../../core/keys.js';
import { Now } from '../../core/now.js';
import { Words } from '../../core/say.js';
import { momentText } from '../../core/time-text.js';
import { Workspaces } from '../../core/workspaces.js';
import { Countdown } from '../../shared/countdown.js';
import { Empty } from '../../shared/empty.js';
import { Failure } from '../../shared/failure.js';
import { Mark } from '../../shared/mark.js';
import { Scripts } from '../../shared/scripts.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Stages } from '../../shared/stages.js';
import { Text } from '../../shared/text.js';
import { BatchStore } from './batch.store.js';
import type { BatchRow } from './batch.store.js';
import { GUARD_MS } from './dock-state.js';

/** The selected asks one below the other, each whole and each with its box, and one dock that votes on each of them. */
@Component({
  selector: 'cs-batch-page',
  imports: [Countdown, Empty, Failure, Mark, MatCheckbox, MatFormField, MatInput, MatLabel, RouterLink, Scripts, Skeleton, Stages, Text],
  providers: [BatchStore],
  templateUrl: './batch-page.html',
  styleUrl: './batch-page.css',
})
export class BatchPage {
  readonly #router = inject(Router);
  readonly #workspaces = inject(Workspaces);
  readonly #now = inject(Now);
  private readonly bodyRef = viewChild<ElementRef<HTMLElement>>('body');
  private readonly headingRef = viewChild<ElementRef<HTMLElement>>('heading');
  private readonly outcomeRef = viewChild<ElementRef<HTMLElement>>('outcome');
  private readonly reasonRef = viewChild<ElementRef<HTMLElement>>('reasonBox');
  readonly #share = signal(0);
  #changedAt = performance.now();

  protected readonly store = inject(BatchStore);
  protected readonly stream = inject(EventStream);
  protected readonly words = inject(Words);
  protected readonly t = this.words.say;
  protected readonly isRead = computed(() => this.#share() >= 0.995);
  protected readonly percent = computed(() => Math.floor(this.#share() * 100));
  protected readonly isSending = computed(() => this.store.step() === 'approve' || this.store.step() === 'deny');
  protected readonly mayAct = computed(() => this.store.chosen().length > 0 && this.store.isDrawn() && this.stream.mayDecide());
  protected readonly away = computed(() =>
    this.t('reconnect', { time: momentText(this.stream.seenAt(), this.#now.ms(), this.words.lang()) }),
  );

  constructor() {
    effect(() => {
      this.store.step();
      this.#changedAt = performance.now();
    });
    effect(() => this.reasonRef()?.nativeElement.focus());
    effect(() => this.outcomeRef()?.nativeElement.focus());
    afterNextRender(() => {
      this.headingRef()?.nativeElement.focus({ preventScroll: true });
    });
    this.#watchReading();
    inject(Keys).add(
      [
        { letter: 'Shift+A', word: 'key_sign', act: () => this.approve() },
        { letter: 'r', word: 'key_reject', act: () => this.startReject() },
        { letter: 'Esc', word: 'key_back', act: () => this.#back(), inFields: true },
      ],
      inject(DestroyRef),
    );
  }

  protected workspaceOf(ask: Ask): string {
    return this.#workspaces.nameOf(ask.workspaceId);
  }

  protected rootOf(ask: Ask): string {
    return this.#workspaces.find(ask.workspaceId)?.root ?? '';
  }

  protected failureOf({ result }: BatchRow): ApiError | undefined {
    return result?.kind === 'failed' ? result.failure : undefined;
  }

  protected approve(): void {
    if (this.store.step() === 'idle' && this.#mayPress() && this.isRead()) void this.store.vote('approve');
  }

  protected startReject(): void {
    if (this.store.step() === 'idle' && this.#mayPress()) this.store.go('reject');
  }

  protected reject(reason: string): void {
    if (this.#mayPress()) void this.store.vote('deny', reason.trim() === '' ? undefined : reason.trim());
  }

  /** How much of the list was on screen: nothing may be signed that was never scrolled to. */
  protected measure(): void {
    const body = this.bodyRef()?.nativeElement;
    if (body === undefined || !this.store.isDrawn()) return;
    const share = Math.min(1, (body.scrollTop + body.clientHeight) / Math.max(1, body.scrollHeight - 2));
    this.#share.update((before) => Math.max(before, share));
  }

  #mayPress(): boolean {
    return this.mayAct() && performance.now() - this.#changedAt >= GUARD_MS;
  }

  #watchReading(): void {
    const observer = new ResizeObserver(() => {
      this.measure();
    });
    effect(() => {
      observer.disconnect();
      const body = this.bodyRef()?.nativeElement;
      if (body === undefined || !this.store.isDrawn()) return;
      observer.observe(body);
      if (body.lastElementChild !== null) observer.observe(body.lastElementChild);
    });
    inject(DestroyRef).onDestroy(() => {
      observer.disconnect();
    });
  }

  #back(): void {
    if (this.store.step() === 'reject') this.store.go('idle');
    else void this.#router.navigate(['/inbox'], { queryParamsHandling: 'preserve' });
  }
}
