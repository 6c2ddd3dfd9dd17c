import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Subscription } from 'rxjs';
import type { Ask, OutputChunk, Plan, Run, RunFrame, RunId } from '#contracts';
import { Api, ApiError, queryOf } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { foldAsk } from '../../core/fold-asks.js';
import { foldPlan } from '../../core/fold-plan.js';
import { foldRun } from '../../core/fold-runs.js';
import { LiveCopy } from '../../core/live-copy.js';
import { backoffMs } from '../../core/sse.js';
import { mergeChunks } from './output-lines.js';

interface OutputPage {
  readonly items: readonly OutputChunk[];
  readonly ended: boolean;
}

export type RunVerb = 'pause' | 'resume' | 'cancel';

const PAGE = 500;

/** Owner of one run on screen: its row, its plan, and its output from the first chunk on. */
@Service({ autoProvided: false })
export class RunStore {
  readonly #api = inject(Api);
  readonly #stream = inject(EventStream);
  readonly #run = new LiveCopy<Run>(foldRun);
  readonly #plan = new LiveCopy<Plan>(foldPlan);
  readonly #ask = new LiveCopy<Ask>(foldAsk);
  readonly #chunks = signal<readonly OutputChunk[]>([]);
  readonly #isWhole = signal(false);
  readonly #busy = signal<RunVerb | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);
  readonly #lastAt = signal(0);
  #following: Subscription | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  readonly run = this.#run.value;
  readonly plan = this.#plan.value;
  readonly ask = this.#ask.value;
  readonly loadFailure = this.#run.failure;
  readonly failure = this.#failure.asReadonly();
  readonly chunks = this.#chunks.asReadonly();
  /** True when the run has ended and all its kept output is here. */
  readonly isWhole = this.#isWhole.asReadonly();
  readonly busy = this.#busy.asReadonly();
  /** When the program last wrote something. */
  readonly lastAt = this.#lastAt.asReadonly();
  readonly bytes = computed(() => {
    const encoder = new TextEncoder();
    const sum = { stdout: 0, stderr: 0 };
    for (const chunk of this.#chunks()) sum[chunk.stream] += encoder.encode(chunk.text).length;
    return sum;
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => {
      this.#round += 1;
      this.#leave();
    });
  }

  async open(id: RunId): Promise<void> {
    this.#leave();
    this.#round += 1;
    this.#chunks.set([]);
    this.#isWhole.set(false);
    this.#failure.set(undefined);
    void this.#readOutput(id, this.#round, 0);
    await this.#run.open(() => this.#api.get<Run>(`runs/${id}`));
    const run = this.run();
    if (run?.id !== id) return;
    await this.#plan.open(() => this.#api.get<Plan>(`plans/${run.planId}`));
    const askId = this.plan()?.askId;
    if (askId != null) void this.#ask.open(() => this.#api.get<Ask>(`asks/${askId}`));
  }

  reload(): void {
    void this.#run.reload();
  }

  /** Asks the server; the row moves when the event comes. */
  async tell(verb: RunVerb): Promise<void> {
    const run = this.run();
    if (run === undefined || this.#busy() !== undefined) return;
    this.#busy.set(verb);
    this.#failure.set(undefined);
    try {
      await this.#api.post(`runs/${run.id}/${verb}`);
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    } finally {
      this.#busy.set(undefined);
    }
  }

  /** First what is stored, then what comes, from exactly there; a lost connection goes on with the next chunk. */
  async #readOutput(id: RunId, round: number, attempt: number): Promise<void> {
    try {
      const hasEnded = await this.#readStored(id, round);
      if (round !== this.#round) return;
      if (hasEnded) this.#isWhole.set(true);
      else this.#follow(id, round);
    } catch (thrown) {
      if (round === this.#round && ApiError.of(thrown).mayRetry) this.#again(id, round, attempt);
    }
  }

  async #readStored(id: RunId, round: number): Promise<boolean> {
    for (;;) {
      const after = this.#chunks().at(-1)?.seq ?? 0;
      const page = await this.#api.get<OutputPage>(`runs/${id}/output${queryOf({ after, limit: PAGE })}`);
      if (round !== this.#round) return false;
      this.#chunks.update((chunks) => mergeChunks(chunks, page.items));
      this.#lastAt.update((at) => page.items.at(-1)?.at ?? at);
      if (page.items.length < PAGE) return page.ended;
    }
  }

  #follow(id: RunId, round: number): void {
    this.#following = this.#stream.frames(id, this.#chunks().at(-1)?.seq ?? 0).subscribe({
      next: (frame) => {
        this.#take(frame);
      },
      error: () => {
        this.#again(id, round, 1);
      },
      complete: () => {
        if (!this.#isWhole()) this.#again(id, round, 0);
      },
    });
  }

  #take(frame: RunFrame): void {
    this.#lastAt.set(Date.now());
    if (frame.type === 'ended') {
      this.#isWhole.set(true);
      this.#following?.unsubscribe();
      // How it ended stands in the row; the frame only says that it did.
      void this.#run.reload();
    } else {
      const { seq, stream, text, at } = frame;
      this.#chunks.update((chunks) => mergeChunks(chunks, [{ seq, stream, text, at }]));
    }
  }

  #again(id: RunId, round: number, attempt: number): void {
    if (round !== this.#round) return;
    this.#timer = setTimeout(() => void this.#readOutput(id, round, attempt + 1), backoffMs(attempt, Math.random()));
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#following?.unsubscribe();
  }
}
