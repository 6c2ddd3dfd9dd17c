import { Clipboard } from '@angular/cdk/clipboard';
import { Component, DestroyRef, type ElementRef, computed, effect, inject, input, signal, untracked, viewChild } from '@angular/core';
import { MatMenu, MatMenuItem, MatMenuTrigger } from '@angular/material/menu';
import { Router, RouterLink } from '@angular/router';
import type { RunId } from '#contracts';
import { Keys } from '../../core/keys.js';
import { Me } from '../../core/me.js';
import { Now } from '../../core/now.js';
import { Place } from '../../core/place.js';
import { Words } from '../../core/say.js';
import { TerminalText, withoutColour } from '../../core/text/terminal-text.js';
import { bytesText, clockDuration, durationText, momentText, tookText } from '../../core/time-text.js';
import { Workspaces } from '../../core/workspaces.js';
import { AskFirst } from '../../shared/ask-first.js';
import { Argv } from '../../shared/argv.js';
import { Contained } from '../../shared/contained.js';
import { Digest } from '../../shared/digest.js';
import { download } from '../../shared/download.js';
import { Failure } from '../../shared/failure.js';
import { Icon } from '../../shared/icon.js';
import { Mark } from '../../shared/mark.js';
import { Meter } from '../../shared/meter.js';
import { Rail } from '../../shared/rail.js';
import { railOf } from '../../shared/rail-of.js';
import { Skeleton } from '../../shared/skeleton.js';
import { Text } from '../../shared/text.js';
import { shortId } from '../../shared/short-id.js';
import { OPERATORS } from '../../core/text/argv-text.js';
import { chosen } from './output-lines.js';
import type { StreamChoice } from './output-lines.js';
import { RunStore } from './run.store.js';
import { OutputTerminal } from './terminal.js';

/** A live run, or one that ended: what runs, its output, its limits, and the ways to stop it. */
@Component({
  selector: 'cs-run-page',
  imports: [
    Argv,
    Contained,
    Digest,
    Failure,
    Icon,
    Mark,
    MatMenu,
    MatMenuItem,
    MatMenuTrigger,
    Meter,
    OutputTerminal,
    Rail,
    RouterLink,
    Skeleton,
    Text,
  ],
  providers: [RunStore],
  templateUrl: './run-page.html',
  styleUrl: './run-page.css',
})
export class RunPage {
  readonly #router = inject(Router);
  readonly #clipboard = inject(Clipboard);
  readonly #askFirst = inject(AskFirst);
  readonly #me = inject(Me);
  readonly #now = inject(Now);
  readonly #words = inject(Words);
  readonly #workspaces = inject(Workspaces);
  private readonly terminalRef = viewChild(OutputTerminal);
  private readonly searchBoxRef = viewChild<ElementRef<HTMLInputElement>>('searchBox');
  readonly id = input.required<RunId>();

  protected readonly store = inject(RunStore);
  protected readonly t = this.#words.say;
  protected readonly many = this.#words.many;
  protected readonly operators = OPERATORS;
  protected readonly streams: readonly StreamChoice[] = ['both', 'stdout', 'stderr'];
  protected readonly choice = signal<StreamChoice>('both');
  protected readonly wrap = signal(true);
  protected readonly isSearching = signal(false);
  protected readonly found = signal<boolean | undefined>(undefined);
  protected readonly removed = signal(0);
  protected readonly lines = signal(0);
  protected readonly isFollowing = signal(true);
  protected readonly isCopied = signal(false);
  protected readonly chunks = computed(() => chosen(this.store.chunks(), this.choice()));
  protected readonly workspace = computed(() => this.#workspaces.find(this.store.plan()?.workspaceId ?? null));
  protected readonly isEnded = computed(() => this.store.run()?.status === 'ended');
  protected readonly mayStop = computed(() => this.#me.can('terminal:execute') && !this.isEnded());
  protected readonly spentMs = computed(() => {
    const run = this.store.run();
    return run === undefined ? 0 : (run.endedAt ?? this.#now.ms()) - run.startedAt;
  });
  protected readonly time = computed(() => {
    const limit = this.store.plan()?.body.limits.timeoutMs ?? 0;
    return {
      share: limit === 0 ? 0 : Math.min(1, this.spentMs() / limit),
      text:
        limit === 0 ? clockDuration(this.spentMs()) : this.t('of', { part: clockDuration(this.spentMs()), whole: clockDuration(limit) }),
    };
  });
  protected readonly output = computed(() => {
    const limit = this.store.plan()?.body.limits.maxOutputBytes ?? 0;
    const { stdout, stderr } = this.store.bytes();
    const of = (bytes: number): { readonly share: number; readonly text: string } => ({
      share: limit === 0 ? 0 : Math.min(1, bytes / limit),
      text: limit === 0 ? bytesText(bytes) : this.t('of', { part: bytesText(bytes), whole: bytesText(limit) }),
    });
    return { stdout: of(stdout), stderr: of(stderr), all: bytesText(stdout + stderr) };
  });
  protected readonly silence = computed(() => {
    const last = this.store.lastAt();
    if (this.isEnded()) return this.t('output_whole');
    return last === 0 ? this.t('no_output_yet') : this.t('last_output', { time: durationText(this.#now.ms() - last, this.#words.lang()) });
  });
  protected readonly exit = computed(() => {
    const run = this.store.run();
    const receipt = this.store.plan();
    if (run?.status !== 'ended' || receipt === undefined) return '';
    const took = tookText(this.spentMs(), this.#words.lang());
    if (run.exitCode !== null) return this.t('exit_code', { code: run.exitCode, took });
    return run.signal === null ? this.t('took', { took }) : this.t('exit_signal', { signal: run.signal, took });
  });
  protected readonly rail = computed(() => {
    const plan = this.store.plan();
    if (plan === undefined) return [];
    const run = this.store.run();
    const at = (ms: number): string => momentText(ms, this.#now.ms(), this.#words.lang());
    const vote = this.store.ask()?.votes.findLast((one) => one.answer === 'approve');
    const limit = durationText(plan.body.limits.timeoutMs, this.#words.lang());
    const spent = durationText(this.spentMs(), this.#words.lang());
    return railOf(plan, this.store.ask(), run, {
      planned: `${at(plan.createdAt)}, ${plan.ownerName}`,
      policy: plan.decision.rules[0] ?? '',
      signed: vote === undefined ? this.t('by_policy') : `${at(vote.at)}, ${vote.byName}`,
      running: run?.status === 'ended' ? spent : this.t('of', { part: spent, whole: limit }),
      receipt: this.t(run?.receiptId == null ? 'signed_when_ends' : 'signed_kept'),
    });
  });

  constructor() {
    inject(Place).at(() => ({
      title: this.t('run_title', { id: shortId(this.id()) }),
      path: [{ text: this.t('live_work'), link: '/live' }],
    }));
    effect(() => {
      const id = this.id();
      untracked(() => void this.store.open(id));
    });
    inject(Keys).add(
      [
        { letter: 'p', word: 'key_pause', act: () => void this.togglePause() },
        { letter: 'c', word: 'key_cancel', act: () => void this.cancel() },
        { letter: 'v', word: 'key_receipt', act: () => this.#openReceipt() },
        { letter: 'Esc', word: 'key_back', act: () => void this.#router.navigateByUrl('/live') },
      ],
      inject(DestroyRef),
    );
    const findKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
        event.preventDefault();
        this.search();
      }
    };
    document.addEventListener('keydown', findKey);
    inject(DestroyRef).onDestroy(() => {
      document.removeEventListener('keydown', findKey);
    });
  }

  protected async togglePause(): Promise<void> {
    if (!this.mayStop()) return;
    await this.store.tell(this.store.run()?.status === 'paused' ? 'resume' : 'pause');
  }

  protected async cancel(): Promise<void> {
    if (!this.mayStop()) return;
    const isSure = await this.#askFirst.confirm({
      title: this.t('cancel_title'),
      text: this.t('cancel_text'),
      act: this.t('cancel_act'),
      isDanger: true,
    });
    if (isSure) await this.store.tell('cancel');
  }

  protected search(): void {
    this.isSearching.set(true);
    setTimeout(() => this.searchBoxRef()?.nativeElement.focus());
  }

  protected find(text: string, isBackward = false): void {
    this.found.set(text === '' ? undefined : this.terminalRef()?.find(text, isBackward));
  }

  protected closeSearch(): void {
    this.isSearching.set(false);
    this.found.set(undefined);
    this.terminalRef()?.clearSearch();
    this.terminalRef()?.focus();
  }

  protected copy(): void {
    this.isCopied.set(this.#clipboard.copy(this.#asShown()));
    setTimeout(() => {
      this.isCopied.set(false);
    }, 2000);
  }

  protected save(form: 'raw' | 'shown'): void {
    const text =
      form === 'raw'
        ? this.chunks()
            .map((chunk) => chunk.text)
            .join('')
        : this.#asShown();
    download(`run-${shortId(this.id())}-${this.choice()}${form === 'raw' ? '.raw' : ''}.txt`, text, 'text/plain');
  }

  protected toEnd(): void {
    this.terminalRef()?.toEnd();
  }

  #openReceipt(): void {
    const receipt = this.store.run()?.receiptId;
    if (receipt != null) void this.#router.navigate(['/receipts', receipt]);
  }

  #asShown(): string {
    const text = new TerminalText();
    return withoutColour(
      this.chunks()
        .map((chunk) => text.push(chunk.text))
        .join(''),
    );
  }
}
